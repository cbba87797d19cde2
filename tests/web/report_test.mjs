// The page of a report, opened from disk, on invented data whose every number is known.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, page_file, picture_pixels, temporary_folder, visit, watched_page } from './browser.mjs';
import { audit, low_contrast, overflow } from './checks.mjs';
import { make_report, picture_pixel, report_html } from './fixture.mjs';

const kViews = {
  overview: '#/',
  features: '#/run/1/features?sort=firing',
  feature: '#/run/1/feature/12',
  'dead feature': '#/run/1/feature/15',
  items: '#/run/1/items?class=3',
  item: '#/run/1/item/5?with=15',
  'dense item': '#/run/0/item/7',
  compare: '#/compare/0/1',
  'turned compare': '#/compare/1/0?sort=worst&page=1',
  map: '#/map/1?layout=umap',
  'map by feature': '#/map/1?layout=pca&colour=feature:12',
  unknown: '#/nowhere/at/all',
};

let browser;
let files;
let full;
const bare = {};

before(async () => {
  browser = await launch();
  files = temporary_folder();
  full = files.write('full.html', report_html(page_file, make_report({ names: { 1: { features: { 12: { name: 'round things', note: 'mostly circles' } } } } })));
  bare.lonely = files.write('lonely.html', report_html(page_file, make_report({ items: 40, runs: 1, classes: [], pictures: false, curves: false })));
  bare.one_item = files.write('one.html', report_html(page_file, make_report({ items: 1, features: 1, runs: 1, classes: ['only'], curves: false })));
});

after(async () => {
  await browser?.close();
  files?.remove();
});

async function with_page(address, body, options) {
  const { page, faults, close } = await watched_page(browser, address, options);
  try {
    await body(page);
    assert.deepEqual(faults, []);
  } finally {
    await close();
  }
}

test('every view renders, complete and named, in light and dark', async () => {
  for (const colorScheme of ['light', 'dark']) {
    await with_page(full, async (page) => {
      for (const [name, hash] of Object.entries(kViews)) {
        await visit(page, full, hash);
        assert.deepEqual(await page.evaluate(audit), [], name);
        assert.deepEqual(await page.evaluate(low_contrast), [], `${name}, ${colorScheme}`);
      }
    }, { colorScheme });
  }
});

test('no view scrolls sideways on a phone or a desktop', async () => {
  for (const width of [375, 1280]) {
    await with_page(full, async (page) => {
      for (const [name, hash] of Object.entries(kViews)) {
        await visit(page, full, hash);
        assert.equal(await page.evaluate(overflow), 0, `${name} at ${width}`);
      }
    }, { viewport: { width, height: 760 } });
  }
});

test('reports without labels, pictures, curves or a second run say so', async () => {
  for (const [name, address] of Object.entries(bare)) {
    await with_page(address, async (page) => {
      for (const hash of ['#/', '#/run/0/features', '#/run/0/feature/0', '#/run/0/items', '#/run/0/item/0', '#/compare/0/0', '#/map/0', '#/run/0/item/999']) {
        await visit(page, address, hash, 'main h1, main .failed');
        assert.deepEqual((await page.evaluate(audit)).filter((fault) => !(hash.endsWith('999') && fault === '0 h1')), [], `${name} ${hash}`);
      }
    });
  }
  await with_page(bare.lonely, async (page) => {
    await visit(page, bare.lonely, '#/');
    const text = await page.innerText('main');
    assert.match(text, /without labels/);
    assert.match(text, /No training curves/);
    await visit(page, bare.lonely, '#/compare/0/0');
    assert.match(await page.innerText('main'), /one run here/);
    await visit(page, bare.lonely, '#/run/0/items');
    assert.equal(await page.locator('main canvas.picture').count(), 0);
  });
});

test('thumbnails are the right pictures, pixel for pixel', async () => {
  await with_page(full, async (page) => {
    for (const item of [0, 5, 31, 1023, 1024, 1199]) {
      await visit(page, full, `#/run/1/item/${item}`);
      const { width, height, rgb } = await picture_pixels(page, `.item-head canvas[data-item="${item}"]`);
      assert.deepEqual([width, height], [32, 32]);
      const expected = [];
      for (let y = 0; y < 32; ++y) for (let x = 0; x < 32; ++x) expected.push(...picture_pixel(item, item % 97 === 96 ? item % 10 : item % 10, x, y));
      assert.deepEqual(rgb, expected, `item ${item}`);
      const box = await page.locator('.item-head canvas').boundingBox();
      assert.ok(box.width >= 48 && box.height >= 48);
    }
  });
});

test('the parts of a match add up to its score', async () => {
  await with_page(full, async (page) => {
    for (const hash of ['#/run/1/item/5?with=15', '#/run/0/item/5?with=300', '#/run/1/item/0']) {
      await visit(page, full, hash, '.why');
      const [score, sum] = await page.$eval('.why', (section) => [Number(section.dataset.score), Number(section.dataset.sum)]);
      assert.ok(Math.abs(score - sum) < 1e-12);
      const all = page.getByRole('button', { name: /^Show all \d+$/ });
      if (await all.count()) await all.click();
      const cells = await page.$$eval('.why tbody td:nth-child(4)', (found) => found.map((cell) => Number(cell.textContent)));
      const total = Number(await page.textContent('.why tfoot td:nth-child(4)'));
      assert.ok(Math.abs(cells.reduce((x, y) => x + y, 0) - total) < 1e-6 * (cells.length + 1), hash);
      assert.ok(Math.abs(total - score) < 1e-6);
    }
  });
});

test('a name appears everywhere, and is there after a reload', async () => {
  await with_page(full, async (page) => {
    await visit(page, full, '#/run/1/feature/5');
    await page.fill('input[name=name]', 'purple squares');
    await page.fill('textarea[name=note]', 'weak ones differ');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForSelector('h1 .feature-name:has-text("purple squares")');
    await page.reload();
    await page.waitForSelector('h1 .feature-name:has-text("purple squares")');
    assert.equal(await page.inputValue('textarea[name=note]'), 'weak ones differ');
    await visit(page, full, '#/run/1/item/5');
    assert.match(await page.innerText('main'), /purple squares/);
    await visit(page, full, '#/run/1/features?show=named&sort=name');
    assert.deepEqual(await page.$$eval('.feature-card .feature-name', (found) => found.map((name) => name.textContent.trim())), ['purple squares', 'round things']);
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download names' }).click()]);
    const chunks = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk);
    const names = JSON.parse(Buffer.concat(chunks).toString());
    assert.deepEqual(names, { format: 'orthant.names.1', features: { 5: { name: 'purple squares', note: 'weak ones differ' }, 12: { name: 'round things', note: 'mostly circles' } } });
    names.features['7'] = { name: 'from a file', note: '' };
    const reader = page.locator('.names-file input');
    await reader.setInputFiles({ name: 'names.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(names)) });
    await page.waitForSelector('.feature-card:has-text("from a file")');
    await reader.setInputFiles({ name: 'wrong.json', mimeType: 'application/json', buffer: Buffer.from('{"format":"other"}') });
    await page.waitForSelector('.names-file [role=status]:has-text("orthant.names.1")');
  });
});

test('keys lead through the page', async () => {
  await with_page(full, async (page) => {
    const stands_at = (feature) => page.waitForSelector(`.steps a[rel=next][href*="feature/${feature + 1}?"]`);
    await visit(page, full, '#/run/1/feature/12?sort=number');
    await stands_at(12);
    for (const [key, feature] of [['j', 13], ['ArrowLeft', 12], ['k', 11]]) {
      await page.keyboard.press(key);
      await stands_at(feature);
      assert.match(page.url(), new RegExp(`feature/${feature}\\?`));
    }
    await page.keyboard.press('?');
    await page.waitForSelector('dialog[open]');
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog:not([open])', { state: 'attached' });
    assert.match(page.url(), /feature\/11/);
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => location.hash.startsWith('#/run/1/features'));
    await page.waitForSelector('.card-link');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    assert.equal(await page.evaluate(() => [...document.querySelectorAll('.card-link')].indexOf(document.activeElement)), 1);
    await page.keyboard.press('/');
    await page.keyboard.type('round');
    await page.waitForSelector('[role=option]:has-text("round things")');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => location.hash === '#/run/1/feature/12');
    await page.keyboard.press('/');
    await page.keyboard.type('test/77');
    await page.waitForSelector('[role=option]:has-text("item 77")');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.steps a[rel=next][href="#/run/1/item/78"]');
    await page.keyboard.press('j');
    await page.waitForFunction(() => location.hash === '#/run/1/item/78');
  });
});

test('definitions open by keyboard and name the documentation', async () => {
  await with_page(full, async (page) => {
    await visit(page, full, '#/');
    const term = page.getByRole('button', { name: 'Sparsity' });
    assert.match(await term.getAttribute('title'), /1e-5/);
    await term.focus();
    await page.keyboard.press('Enter');
    assert.match(await page.innerText('.term-about:popover-open'), /docs\/measures\.md/);
    assert.match(await page.innerText('main'), /87 % of entries are zero: each sample is described by about 8 of 64 features/);
  });
});

test('the theme can be turned and stays', async () => {
  await with_page(full, async (page) => {
    await visit(page, full, '#/');
    const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await back();
    await page.getByRole('button', { name: /^Colours/ }).click();
    await page.getByRole('button', { name: /^Colours/ }).click();
    assert.notEqual(await back(), light);
    await page.reload();
    await page.waitForSelector('main h1');
    assert.notEqual(await back(), light);
  });
});

test('the map shows an item on hover and opens it on click', async () => {
  await with_page(full, async (page) => {
    await visit(page, full, '#/map/1?layout=umap', 'canvas.map');
    const box = await page.locator('canvas.map').boundingBox();
    const size = Math.min(box.width, box.height);
    await page.mouse.move(box.x + box.width / 2 + (size / 2) * 0.94 * 0.7, box.y + box.height / 2);
    await page.waitForSelector('.map-hover');
    const item = Number((await page.textContent('.map-hover b')).replace('Item ', ''));
    await page.mouse.down();
    await page.mouse.up();
    await page.waitForFunction((wanted) => location.hash === `#/run/1/item/${wanted}`, item);
  });
});

test('the policy of the file lets nothing out and no other script run', async () => {
  const { page, close } = await watched_page(browser, full);
  await visit(page, full, '#/');
  const policy = await page.getAttribute('meta[http-equiv=Content-Security-Policy]', 'content');
  assert.match(policy, /default-src 'none'; script-src 'sha256-[^']+'; /);
  assert.doesNotMatch(policy, /unsafe-eval|script-src[^;]*unsafe-inline|connect-src/);
  const outcome = await page.evaluate(async () => {
    const fetched = await fetch('http://127.0.0.1:9/').then(() => 'allowed', () => 'refused');
    const script = document.createElement('script');
    script.textContent = 'window.ran = true';
    document.body.append(script);
    return { fetched, ran: window.ran === true };
  });
  assert.deepEqual(outcome, { fetched: 'refused', ran: false });
  await close();
});

test('a comparison keeps its signs: opposites are marked and shown by the side that matches', async () => {
  await with_page(full, async (page) => {
    await visit(page, full, '#/compare/0/1?sort=opposite');
    const first = page.locator('.pairs li').first();
    assert.match(await first.locator('.match').innerText(), /-0\.9\d+\s+match\s+opposite/);
    assert.match(await first.locator('.feature-card').first().innerText(), /− side/);
    assert.doesNotMatch(await first.locator('.feature-card').last().innerText(), /− side/);
    const summary = await page.innerText('.summary');
    const matches = Array.from({ length: 60 }, (_, at) => 0.95 - (0.8 * at) / 64);
    const mean = matches.reduce((sum, match) => sum + match, 0) / 60;
    assert.match(summary, new RegExp(`60 pairs, mean match ${mean.toFixed(2)} without sign; 15 of them are opposites`));
    assert.match(summary, /cl: of 64 features, 4 without a partner\./);
    assert.match(summary, /ncl: of 64 features, 4 dead \(never fire\)\./);
    await visit(page, full, '#/compare/1/0');
    assert.match(await page.innerText('.summary'), /ncl: of 64 features, 4 dead/);
  });
});

test('a feature with two signs shows both of its sides, everywhere', async () => {
  await with_page(full, async (page) => {
    await visit(page, full, '#/run/0/feature/3');
    const [positive, negative] = [page.locator('.strongest.positive'), page.locator('.strongest.negative')];
    assert.equal(await positive.locator('.tile').count(), 24);
    assert.equal(await negative.locator('.tile').count(), 24);
    const captions = await negative.locator('.caption').allInnerTexts();
    assert.ok(captions.every((text) => Number(text) < 0), captions.join(' '));
    assert.match(await negative.innerText(), /% of the samples are on this side; the commonest class among them is \w+ \(\d+ %\)/);
    assert.match(await page.innerText('#classes ~ table thead'), /Share of the \+ side\s+Share of the − side/);
    await visit(page, full, '#/run/0/features?sort=number');
    assert.equal(await page.locator('.feature-card').first().locator('.card-side').count(), 2);
    await visit(page, full, '#/run/1/features?sort=number');
    assert.equal(await page.locator('.feature-card').first().locator('.card-side').count(), 1);
    await visit(page, full, '#/run/1/feature/12');
    assert.doesNotMatch(await page.innerText('main'), /− side/);
  });
});

test('the map has one colour for each sign of a feature', async () => {
  const colours = (page) =>
    page.$eval('canvas.map', (canvas) => {
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      let [blue, red] = [0, 0];
      for (let at = 0; at < data.length; at += 4) if (data[at + 3]) [blue, red] = [blue + (data[at + 2] > data[at] + 40), red + (data[at] > data[at + 2] + 40)];
      return { blue, red };
    });
  await with_page(full, async (page) => {
    await visit(page, full, '#/map/0?colour=feature:3', 'canvas.map');
    const signed = await colours(page);
    assert.ok(signed.blue > 100 && signed.red > 100, JSON.stringify(signed));
    assert.match(await page.innerText('.map-scale'), /^-\d/);
    await visit(page, full, '#/map/1?colour=feature:3', 'canvas.map');
    const positive = await colours(page);
    assert.ok(positive.blue > 100 && positive.red === 0, JSON.stringify(positive));
  }, { colorScheme: 'light' });
});

test('wherever a feature is named, its strongest samples and its main class are beside it', async () => {
  const glimpse = async (page, place) => {
    const found = page.locator(place).first();
    await found.locator('.glimpse').first().waitFor();
    return { pictures: await found.locator('.glimpse').first().locator('canvas').count(), words: (await found.locator('.glimpse-words').first().innerText()).trim() };
  };
  const places = {
    '#/run/1/item/5': ['.firing tbody tr', '.parts tbody tr'],
    '#/run/1/feature/12': ['[aria-labelledby=similar] tbody tr', '[aria-labelledby=cofiring] tbody tr'],
    '#/map/1?colour=feature:12': ['.legend'],
  };
  await with_page(full, async (page) => {
    for (const [hash, list] of Object.entries(places)) {
      await visit(page, full, hash);
      for (const place of list) {
        const { pictures, words } = await glimpse(page, place);
        assert.ok(pictures >= 3 && pictures <= 5, `${hash} ${place}: ${pictures}`);
        assert.match(words, /^\w+ \d+ %$/, `${hash} ${place}`);
      }
    }
    await visit(page, full, '#/run/1/item/5');
    const first = await page.$eval('.firing tbody tr', (row) => ({ feature: Number(row.querySelector('.feature-number').textContent), items: [...row.querySelectorAll('canvas')].map((canvas) => Number(canvas.dataset.item)) }));
    await visit(page, full, `#/run/1/feature/${first.feature}`);
    assert.deepEqual(await page.$$eval('.strongest canvas', (found) => found.slice(0, 4).map((canvas) => Number(canvas.dataset.item))), first.items);
    await visit(page, full, '#/run/0/item/5');
    const signs = await page.$$eval('.firing tbody tr', (rows) => rows.map((row) => [row.querySelector('td .numbers').textContent.startsWith('-'), row.querySelector('.glimpse-side')?.textContent.trim()]));
    assert.ok(signs.some(([negative]) => negative) && signs.some(([negative]) => !negative));
    for (const [negative, side] of signs) assert.equal(side, negative ? '− side' : '+ side');
    await page.fill('#search', '12');
    await page.waitForSelector('[role=option] .glimpse canvas');
    await visit(page, full, '#/');
    await page.hover('.heat-map canvas');
    await page.waitForSelector('.heat-map .glimpse canvas');
  });
});

test('the overview says in one sentence, and shows in pictures, how the runs differ', async () => {
  await with_page(full, async (page) => {
    await visit(page, full, '#/');
    await page.waitForSelector('.conclusion:has-text("by chance")');
    assert.match(await page.innerText('.run-list'), /contrastive learning \(CL\)[^]*non-negative contrastive learning \(NCL\)/);
    assert.equal(
      await page.innerText('.conclusion'),
      "NCL compared with CL: 8.1 features per picture instead of 64; 43 % of a feature's pictures share a class instead of 14 % (by chance 10 %); 87 % of the pictures are told right by their nearest neighbours in both (by chance 10 %).",
    );
    const rows = page.locator('.look-row');
    await rows.nth(5).waitFor();
    assert.equal(await rows.count(), 6);
    for (const row of await rows.all()) assert.equal(await row.locator('canvas').count(), 8);
    assert.equal(await page.locator('.side-by-side .card').first().locator('.look-side').count(), 6);
    const best = Number(await rows.nth(3).locator('.feature-number').innerText());
    await visit(page, full, '#/run/1/features');
    assert.equal(Number(await page.locator('.feature-card .feature-number').first().innerText()), best);
  });
});

test('every measure has words, a range and, where guessing is possible, its chance level', async () => {
  await with_page(full, async (page) => {
    await visit(page, full, '#/');
    await page.waitForSelector('.ranges small');
    const rows = await page.$$eval('.measures tbody tr', (found) => found.map((row) => ({ name: row.querySelector('th').innerText, range: row.querySelector('.ranges').innerText, words: row.querySelector('.hints').innerText })));
    assert.ok(rows.length >= 15);
    for (const { name, range, words } of rows) assert.ok(range.trim() && words.trim().length > 10, name);
    const row = (name) => rows.find((one) => one.name.startsWith(name));
    assert.match(row('k-NN').name, /k = 20/);
    assert.match(row('Class consistency').range, /0 to 100 %\s+by chance 10\.\d %/);
    assert.match(row('Precision').range, /by chance 10\.0 %/);
    assert.match(row('Effective rank').range, /0 to 4\.16/);
  });
});
