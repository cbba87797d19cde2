// The page of a report, opened from disk, on invented data whose every number is known.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { picture_pixels, visit } from './browser.mjs';
import { audit, low_contrast, overflow, small_targets } from './checks.mjs';
import { picture_pixel } from './fixture.mjs';
import { full, open_page, with_page, write_report } from './full_report.mjs';

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
  clean: '#/clean/1',
  'clean duplicates': '#/clean/1?kind=duplicate&at=1',
  unknown: '#/nowhere/at/all',
};

const kBare = {
  lonely: { items: 40, runs: 1, classes: [], pictures: false, curves: false },
  one_item: { items: 1, features: 1, runs: 1, classes: ['only'], curves: false },
};

test('every view renders, complete and named, in light and dark', async () => {
  for (const colorScheme of ['light', 'dark']) {
    await with_page(async (page) => {
      for (const [name, hash] of Object.entries(kViews)) {
        await visit(page, full(), hash);
        assert.deepEqual(await page.evaluate(audit), [], name);
        assert.deepEqual(await page.evaluate(low_contrast), [], `${name}, ${colorScheme}`);
      }
    }, { colorScheme });
  }
});

test('no view scrolls sideways on a phone or a desktop', async () => {
  for (const width of [375, 1280]) {
    await with_page(async (page) => {
      for (const [name, hash] of Object.entries(kViews)) {
        await visit(page, full(), hash);
        assert.equal(await page.evaluate(overflow), 0, `${name} at ${width}`);
      }
    }, { viewport: { width, height: 760 } });
  }
});

test('reports without labels, pictures, curves or a second run say so', async () => {
  for (const [name, options] of Object.entries(kBare)) {
    const address = write_report(`${name}.html`, options);
    await with_page(async (page) => {
      for (const hash of ['#/', '#/run/0/features', '#/run/0/feature/0', '#/run/0/items', '#/run/0/item/0', '#/compare/0/0', '#/map/0', '#/clean/0', '#/own', '#/run/0/item/999']) {
        await visit(page, address, hash, 'main h1, main .failed');
        assert.deepEqual((await page.evaluate(audit)).filter((fault) => !(hash.endsWith('999') && fault === '0 h1')), [], `${name} ${hash}`);
      }
    }, {}, address);
  }
  const lonely = write_report('lonely.html', kBare.lonely);
  await with_page(async (page) => {
    await visit(page, lonely, '#/');
    const text = await page.innerText('main');
    assert.match(text, /without labels/);
    assert.match(text, /No training curves/);
    await visit(page, lonely, '#/compare/0/0');
    assert.match(await page.innerText('main'), /one run here/);
    assert.doesNotMatch(await page.innerText('.menu'), /Compare/);
    await visit(page, lonely, '#/run/0/items');
    assert.equal(await page.locator('main canvas.picture').count(), 0);
  }, {}, lonely);
});

test('items without pictures are called by their ids, wherever a feature is named too', async () => {
  const words = write_report('words.html', { items: 1200, features: 16, classes: [], pictures: false, curves: false, ids: (item) => `word${item}` });
  await with_page(async (page) => {
    await visit(page, words, '#/');
    await page.waitForSelector('.look-row .chip-id:has-text("word")');
    assert.equal(await page.locator('.look-row').count(), 6);
    assert.doesNotMatch(await page.innerText('main'), /no label|How pure|Nothing to count/);
    for (const hash of ['#/run/1/features', '#/run/1/feature/3', '#/run/0/item/5', '#/compare/0/1']) {
      await visit(page, words, hash);
      await page.waitForFunction(() => [...document.querySelectorAll('.chip-id')].every((id) => /^word\d+$/.test(id.textContent)));
      assert.doesNotMatch(await page.innerText('main'), /no label|of all that do/, hash);
      assert.equal(await page.evaluate(overflow), 0, hash);
    }
    await visit(page, words, '#/run/0/item/5');
    assert.ok((await page.locator('.firing .glimpse .chip-id').count()) >= 3);
    assert.match(await page.innerText('h1'), /^word5 item 5, seen by cl$/);
    assert.equal(await page.locator('.item-id').count(), 0, 'said once');
    await visit(page, words, '#/map/0?feature=3', 'canvas.map');
    assert.ok(await page.getByRole('button', { name: 'One colour' }).isVisible());
    const box = await page.locator('canvas.map').boundingBox();
    await page.mouse.move(box.x + box.width / 2 + (Math.min(box.width, box.height) / 2) * 0.94 * 0.7, box.y + box.height / 2);
    await page.waitForSelector('.map-hover .chip-id:has-text("word")');
  }, {}, words);
});

test('one active feature is one', async () => {
  const few = write_report('few.html', { items: 100, features: 16 });
  await with_page(async (page) => {
    await visit(page, few, '#/run/1/items');
    const tile = page.locator('.items-grid .tile', { has: page.locator('.caption', { hasText: /^1 active$/ }) }).first();
    await tile.click();
    await page.waitForSelector('.item-head');
    assert.match(await page.innerText('.item-head'), /1 active feature of 16/);
  }, {}, few);
});

test('thumbnails are the right pictures, pixel for pixel', async () => {
  await with_page(async (page) => {
    for (const item of [0, 5, 31, 1023, 1024, 1199]) {
      await visit(page, full(), `#/run/1/item/${item}`);
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
  await with_page(async (page) => {
    for (const hash of ['#/run/1/item/5?with=15', '#/run/0/item/5?with=300', '#/run/1/item/0']) {
      await visit(page, full(), hash, '.why');
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

test('how much the first parts make is said only where there are more', async () => {
  await with_page(async (page) => {
    const words = {};
    for (let item = 0; item < 40 && Object.keys(words).length < 2; ++item) {
      await visit(page, full(), `#/run/1/item/${item}?with=${item + 10}`, '.why');
      const text = await page.innerText('.why .pair p');
      const shared = Number(/share (\d+) feature/.exec(text)?.[1] ?? 0);
      if (shared > 0) words[shared > 3 ? 'many' : 'few'] = text;
    }
    assert.match(words.many, /; the first 3 make \d+ % of the similarity\.$/);
    assert.match(words.few, /^They share \d features?\.$/);
  });
});

test('definitions open beside their word, by keyboard too, and need no other file', async () => {
  for (const width of [1280, 375]) {
    await with_page(async (page) => {
      await visit(page, full(), '#/');
      const term = page.getByRole('button', { name: 'Sparsity' });
      assert.match(await term.getAttribute('title'), /1e-5/);
      await term.focus();
      await page.keyboard.press('Enter');
      const about = page.locator('.term-about:popover-open');
      assert.match(await about.innerText(), /^Sparsity\. Share of all entries/);
      assert.doesNotMatch(await about.innerText(), /\.md/);
      const [word, box] = [await term.boundingBox(), await about.boundingBox()];
      const apart = Math.max(box.y - (word.y + word.height), word.y - (box.y + box.height));
      assert.ok(apart >= 0 && apart < 20, `${apart} pixels from the word`);
      assert.ok(box.x >= 0 && box.x + box.width <= width && Math.abs(box.x - word.x) < 40);
      assert.match(await page.innerText('main'), /87 % of entries are zero: each item is described by about 8 of 64 features/);
    }, { viewport: { width, height: 760 } });
  }
});

test('words on a card open their definition, not the feature', async () => {
  await with_page(async (page) => {
    await visit(page, full(), '#/run/1/features');
    for (const [word, text] of [['consistency', /^Consistency\. Share of the most frequent class/], ['fires on', /^Firing rate\. Share of items/]]) {
      await page.locator('.feature-card').first().getByRole('button', { name: word }).click();
      assert.match(await page.locator('.term-about:popover-open').innerText(), text);
      assert.match(page.url(), /features$/);
      await page.keyboard.press('Escape');
    }
  });
});

test('the theme can be turned and stays', async () => {
  await with_page(async (page) => {
    await visit(page, full(), '#/');
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

test('the policy of the file lets nothing out and no other script run', async () => {
  const { page, close } = await open_page();
  await visit(page, full(), '#/');
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

test('the overview says in one sentence, and shows in pictures, how the runs differ', async () => {
  await with_page(async (page) => {
    await visit(page, full(), '#/');
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
    await visit(page, full(), '#/run/1/features');
    assert.equal(Number(await page.locator('.feature-card .feature-number').first().innerText()), best);
  });
});

test('the overview does not speak of neighbours where everyone is one', async () => {
  const tiny = write_report('tiny.html', { items: 21, features: 8 });
  await with_page(async (page) => {
    await visit(page, tiny, '#/');
    await page.waitForSelector('.conclusion:has-text("by chance")');
    assert.doesNotMatch(await page.innerText('.conclusion'), /neighbours/);
    assert.match(await page.innerText('.measures'), /k-NN accuracy k = 20/);
  }, {}, tiny);
});

test('every measure has words, a range and, where guessing is possible, its chance level', async () => {
  await with_page(async (page) => {
    await visit(page, full(), '#/');
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

test('what is to be hit is at least 24 pixels in both directions', async () => {
  for (const width of [1280, 375]) {
    await with_page(async (page) => {
      for (const [name, hash] of Object.entries(kViews)) {
        await visit(page, full(), hash);
        assert.deepEqual(await page.evaluate(small_targets), [], `${name} at ${width}`);
      }
    }, { viewport: { width, height: 760 } });
  }
});

test('in print all pictures are there, and nothing to press', async () => {
  await with_page(async (page) => {
    await visit(page, full(), '#/run/1/features?sort=number');
    await page.waitForFunction(() => document.querySelectorAll('canvas.picture').length > 200 && !document.querySelector('canvas.picture:not(.shown)'));
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    for (const hidden of ['.bar-top', '.controls', '.pager']) assert.equal(await page.locator(hidden).first().isVisible(), false, hidden);
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(255, 255, 255)');
    assert.ok((await page.pdf()).length > 50000);
    await visit(page, full(), '#/map/1');
    assert.ok(await page.locator('.legend.buttons button').first().isVisible(), 'what the colours mean');
    assert.equal(await page.locator('.map-buttons').isVisible(), false);
    const corner = () =>
      page.$eval('.heat-map canvas', (canvas) => {
        const copy = new OffscreenCanvas(1, 1).getContext('2d');
        copy.drawImage(canvas, 0, 0);
        return [...copy.getImageData(0, 0, 1, 1).data];
      });
    await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
    await visit(page, full(), '#/');
    assert.deepEqual(await corner(), [0xa9, 0xd8, 0xff, 255], 'bright in the dark');
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await page.waitForTimeout(200);
    assert.deepEqual(await corner(), [0x08, 0x40, 0x6b, 255], 'dark on paper, as its legend');
  }, { colorScheme: 'dark' });
});

test('without JavaScript there is one message, which says so', async () => {
  await with_page(async (page) => {
    await page.goto(full());
    assert.deepEqual((await page.locator('body').innerText()).trim().split('\n').filter(Boolean), ['This page needs JavaScript. It runs on this machine only and loads nothing from the network.']);
  }, { javaScriptEnabled: false });
});
