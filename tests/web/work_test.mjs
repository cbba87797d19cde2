// Working with features on the page: filters, lasso, selections, ranks, changes and classes, in a report from disk and
// with a server, on invented data whose every number is known.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { parse_csv } from '../../web/src/selection_file.js';
import { StaticSource } from '../../web/src/source/static_source.js';
import { launch, page_file, temporary_folder, visit, watched_page } from './browser.mjs';
import { audit, low_contrast, overflow, small_targets } from './checks.mjs';
import { make_report, report_html } from './fixture.mjs';
import { serve } from './fixture_server.mjs';

const kNames = { 1: { features: { 12: { name: 'round things', note: '' }, 5: { name: 'bold', note: '' } } } };
const report = make_report({ names: kNames });
const supervised = make_report({ items: 300, features: 32, supervised: true });
const source = new StaticSource(make_report({ names: kNames }));
const classes = report.overview.data.classes;

let browser;
let files;
let server;
let bases;

before(async () => {
  browser = await launch();
  files = temporary_folder();
  server = await serve(page_file, report);
  server.saved['1/12'] = kNames[1].features[12];
  server.saved['1/5'] = kNames[1].features[5];
  bases = { report: files.write('work.html', report_html(page_file, report)), explorer: server.address };
});

after(async () => {
  await browser?.close();
  files?.remove();
  server?.close();
});

/** The same test of the report and of the explorer; nothing may go wrong unseen. */
function both(name, body, options) {
  for (const kind of ['report', 'explorer']) {
    test(`${name} (${kind})`, async () => {
      const { page, faults, close } = await watched_page(browser, bases[kind], options);
      try {
        await body(page, bases[kind]);
        assert.deepEqual(faults, []);
      } finally {
        await close();
      }
    });
  }
}

const query = (values) => new URLSearchParams(values).toString();
const where = (holds) => Promise.all([source.labels(), source.ids()]).then(([labels]) => [...labels.keys()].filter((item) => holds(item, labels[item])));
const counted = async (page) => Number(/^([\d,]+)/.exec(await page.innerText('.filter-count'))[1].replaceAll(',', ''));
const shown_items = (page) => page.$$eval('.items-grid .tile', (tiles) => tiles.map((tile) => Number(/item\/(\d+)/.exec(tile.href)[1])));
const settled = (page) => page.waitForFunction(() => !document.querySelector('main .loading') && !document.querySelector('.filter-count')?.textContent.startsWith('Counting'));

both('a filter of the address narrows the items and tells how many, of which classes', async (page, base) => {
  const column = await source.activations(1, 12);
  const expected = await where((item, label) => column[item] > Math.fround(0.4) && label !== 3);
  await visit(page, base, `#/run/1/items?${query({ filter: '"round things" > 0.4 and class!=square' })}`, '.filter-chips');
  const square = classes.indexOf('square');
  const right = await where((item, label) => column[item] > Math.fround(0.4) && label !== square);
  assert.ok(right.length > 20 && right.length < 1000 && expected.length > 0);
  await settled(page);
  await page.waitForFunction((count) => document.querySelector('.filter-count').textContent.startsWith(count.toLocaleString('en-US')), right.length);
  assert.match(await page.innerText('.filter-count'), new RegExp(`^${right.length} of 1,200 items`));
  await page.waitForFunction(() => document.querySelectorAll('.items-grid .tile').length > 0);
  assert.deepEqual(await shown_items(page), right.slice(0, 100));
  const labels = await source.labels();
  const [top] = await page.$$eval('.mix tbody tr', (rows) => rows.map((row) => [...row.cells].map((cell) => cell.innerText.trim())));
  const label = classes.indexOf(top[0]);
  const here = right.filter((item) => labels[item] === label).length;
  assert.equal(Number(top[1]), here);
  const labelled = right.filter((item) => labels[item] >= 0).length;
  assert.equal(Math.round((here / labelled) * 100), Math.round(Number.parseFloat(top[2])));
  assert.deepEqual(await page.$$eval('.filter-chips code', (chips) => chips.map((chip) => chip.innerText)), ['"round things" > 0.4', 'class!=square']);
  await page.getByRole('button', { name: 'Remove the condition class!=square' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.filter-chips code').length === 1);
  assert.match(await page.evaluate(() => new URLSearchParams(location.hash.split('?')[1]).get('filter')), /^"round things" > 0.4$/);
  const item = await page.locator('.items-grid .tile').first();
  await item.click();
  await page.waitForSelector('.steps a[rel=next]');
  const all = await where((other) => column[other] > Math.fround(0.4));
  assert.match(await page.innerText('.steps'), new RegExp(`All that match[\\s\\S]*1 of ${all.length}`));
  await page.keyboard.press('j');
  await page.waitForFunction((next) => document.querySelector('h1')?.innerText.startsWith(`Item ${next} `), all[1]);
});

both('the field completes by keyboard, says what is wrong and offers the nearest name', async (page, base) => {
  await visit(page, base, '#/run/1/items', '.filter-box');
  const field = page.locator('.filter-box input');
  await field.fill('bo');
  await page.waitForSelector('.filter-box [role=option]');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  assert.equal(await field.inputValue(), 'bold ');
  await field.pressSequentially('> 0.5 and class=');
  await page.waitForSelector('.filter-box [role=option]:has-text("circle")');
  await field.pressSequentially('circ');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  assert.equal((await field.inputValue()).trim(), 'bold > 0.5 and class=circle');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.filter-chips');
  assert.equal(await page.locator('.filter-chips code').count(), 2);
  await field.fill('bald > 0.5');
  await field.blur();
  await page.waitForSelector('.filter-error');
  assert.match(await page.innerText('.filter-error'), /At character 1: expected a feature, got 'bald'; did you mean bold\?/);
  assert.ok(await page.locator('.filter-box > button').isDisabled());
  await page.getByRole('button', { name: 'Write bold' }).click();
  assert.equal(await field.inputValue(), 'bold > 0.5');
});

both('conditions are clicked together without knowing the language', async (page, base) => {
  await visit(page, base, '#/run/1/items', '.filter-box');
  await page.getByRole('button', { name: 'Add a condition' }).click();
  await page.getByLabel('Feature of the condition').fill('12');
  await page.getByLabel('How strong').selectOption('>');
  await page.getByLabel('Value').fill('0.5');
  await page.locator('.condition button').first().click();
  await page.waitForSelector('.filter-chips');
  await page.getByLabel('Is it the class').selectOption('!=');
  await page.getByLabel('Class of the condition').selectOption({ label: 'circle' });
  await page.getByLabel('Part of the id').fill('TEST/1');
  await page.locator('.condition button').last().click();
  await page.waitForFunction(() => document.querySelectorAll('.filter-chips code').length === 3);
  assert.deepEqual(await page.$$eval('.filter-chips code', (chips) => chips.map((chip) => chip.innerText)), ['"round things" > 0.5', 'class!=circle', 'id~TEST/1']);
  const column = await source.activations(1, 12);
  const [ids, circle] = [await source.ids(), classes.indexOf('circle')];
  const right = await where((item, label) => column[item] > 0.5 && label !== circle && ids[item].includes('test/1'));
  await page.waitForFunction((count) => document.querySelector('.filter-count').textContent.startsWith(`${count} of`), right.length);
});

const tally = (page) =>
  page.$eval('canvas.map', (canvas) => {
    const copy = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height }).getContext('2d', { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
    const dim = getComputedStyle(document.documentElement).getPropertyValue('--map-dim').trim();
    const [red, green, blue] = [1, 3, 5].map((at) => parseInt(dim.slice(at, at + 2), 16));
    let [dimmed, other] = [0, 0];
    for (let at = 0; at < data.length; at += 4) {
      if (!data[at + 3]) continue;
      if (data[at] === red && data[at + 1] === green && data[at + 2] === blue) ++dimmed;
      else ++other;
    }
    return { dimmed, other };
  });

both('on the map what a filter leaves out is dimmed, not hidden', async (page, base) => {
  await visit(page, base, '#/map/1', 'canvas.map');
  await page.waitForTimeout(100);
  const plain = await tally(page);
  assert.equal(plain.dimmed, 0);
  await visit(page, base, `#/map/1?${query({ filter: 'class=circle' })}`, 'canvas.map');
  await page.waitForFunction(() => /^\d+ of/.test(document.querySelector('.filter-count').innerText));
  await page.waitForTimeout(100);
  const narrowed = await tally(page);
  assert.ok(narrowed.dimmed > 4 * narrowed.other && narrowed.other > 50, JSON.stringify(narrowed));
  assert.ok(Math.abs(narrowed.dimmed + narrowed.other - plain.other) < 40, 'as many dots as before');
});

/** Where items are on the screen of the whole map. */
async function places_of(page, layout = 'umap') {
  const points = await source.map(1, layout);
  const box = await page.locator('canvas.map').boundingBox();
  const scale = (Math.min(box.width, box.height) / 2) * 0.94;
  return { box, at: (item) => ({ x: box.width / 2 + points[2 * item] * scale, y: box.height / 2 - points[2 * item + 1] * scale }) };
}

both('a lasso picks what it goes around; clicks, Shift and Alt change that; the frame can be picked too', async (page, base) => {
  await visit(page, base, '#/map/1?layout=umap', 'canvas.map');
  await page.locator('canvas.map').scrollIntoViewIfNeeded();
  let { box, at } = await places_of(page);
  const inside = (left, top, right, bottom) => [...Array(1200).keys()].filter((item) => at(item).x > left && at(item).x < right && at(item).y > top && at(item).y < bottom);
  const around = async (left, top, right, bottom) => {
    ({ box, at } = await places_of(page)); // what is above the map may have grown
    await page.mouse.move(box.x + left, box.y + top);
    await page.mouse.down();
    for (const [x, y] of [[right, top], [right, bottom], [left, bottom], [left, top]]) await page.mouse.move(box.x + x, box.y + y, { steps: 4 });
    await page.mouse.up();
  };
  const middle = box.height / 2;
  await page.getByRole('button', { name: 'Lasso' }).click();
  await around(box.width / 2, 20, box.width - 20, middle);
  const first = inside(box.width / 2, 20, box.width - 20, middle);
  await page.waitForFunction(() => /picked by hand/.test(document.querySelector('.filter-count')?.innerText ?? ''));
  assert.ok(first.length > 50 && Math.abs((await counted(page)) - first.length) <= 3, `${await counted(page)} for ${first.length}`);
  await page.keyboard.down('Shift');
  await around(20, 20, box.width / 2 - 4, middle);
  await page.keyboard.up('Shift');
  const both_halves = inside(20, 20, box.width - 20, middle);
  await page.waitForTimeout(100);
  assert.ok(Math.abs((await counted(page)) - both_halves.length) <= 5, `${await counted(page)} for ${both_halves.length}`);
  await page.keyboard.down('Alt');
  await around(20, 20, box.width / 2 - 4, middle);
  await page.keyboard.up('Alt');
  await page.waitForTimeout(100);
  const before = await counted(page);
  assert.ok(Math.abs(before - first.length) <= 5);
  ({ box, at } = await places_of(page));
  const lone = [...Array(1200).keys()].find((item) => at(item).y > middle + 20 && at(item).y < box.height - 60);
  await page.mouse.click(box.x + at(lone).x, box.y + at(lone).y);
  await page.waitForTimeout(100);
  assert.equal(await counted(page), before + 1, 'a click adds one');
  await page.reload();
  await page.waitForSelector('canvas.map');
  await settled(page);
  assert.equal(await counted(page), before + 1, 'kept in this window');
  await page.getByRole('button', { name: 'Pick none' }).click();
  await page.waitForFunction(() => document.querySelector('.filter-count').innerText.startsWith('1,200'));
  await page.locator('canvas.map').focus();
  await page.keyboard.press('s');
  await page.waitForFunction(() => /^1,200 of 1,200/.test(document.querySelector('.filter-count').innerText));
});

both('zoomed in far enough, points become their pictures', async (page, base) => {
  const points = await source.map(1, 'umap');
  const item = 40;
  await visit(page, base, `#/map/1?layout=umap&view=${points[2 * item]},${points[2 * item + 1]},60`, 'canvas.map');
  const colours = () => {
    const canvas = document.querySelector('canvas.map');
    const copy = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    copy.drawImage(canvas, 16 - canvas.width / 2, 16 - canvas.height / 2);
    const { data } = copy.getImageData(0, 0, 32, 32);
    return new Set(Array.from({ length: 1024 }, (_, at) => `${data[4 * at]},${data[4 * at + 1]},${data[4 * at + 2]}`)).size;
  };
  let most = 0;
  for (let round = 0; round < 100 && most <= 40; ++round) {
    most = await page.evaluate(colours);
    await page.waitForTimeout(50);
  }
  assert.ok(most > 40, `${most} colours`);
  await page.getByRole('button', { name: 'Pictures' }).click();
  await page.waitForTimeout(100);
  assert.ok((await page.evaluate(colours)) < 10, 'dots again');
  assert.match(page.url(), /dots=1/);
});

both('a selection is told by what sets it apart, saved, and read back', async (page, base) => {
  await visit(page, base, `#/run/1/selection?${query({ filter: '"round things" > 0.4' })}`, '.telling');
  const column = await source.activations(1, 12);
  const items = await where((item) => column[item] > Math.fround(0.4));
  const contrast = await source.contrast(1, Uint8Array.from({ length: 1200 }, (_, item) => Number(items.includes(item))));
  const rows = await page.$$eval('.telling tbody tr', (lines) => lines.map((line) => [Number(line.querySelector('.feature-number').innerText), ...[...line.cells].slice(1).map((cell) => cell.innerText.trim())]));
  assert.equal(rows[0][0], 12, 'what was asked for comes first');
  for (const [feature, here, elsewhere, lift, share, mean] of rows.slice(0, 6)) {
    const one = contrast.features[feature];
    assert.ok(here.endsWith(` ${one.firing}`) && elsewhere.endsWith(` ${one.firing_others}`), `${feature}: ${here} ${elsewhere}`);
    assert.ok(Math.abs(Number(lift) - one.firing / items.length / ((one.firing + one.firing_others) / 1200)) < 0.006);
    assert.ok(Math.abs(Number.parseFloat(share) - (100 * one.firing) / (one.firing + one.firing_others)) < 0.6);
    assert.ok(Math.abs(Number(mean) - one.mean) <= 0.006 * Math.max(1, one.mean), `${mean} ${one.mean}`);
  }
  const saved = async (name) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
    return { name: download.suggestedFilename(), path: await download.path() };
  };
  const csv = await saved('Download CSV');
  assert.equal(csv.name, 'selection.csv');
  const [header, ...lines] = parse_csv(readFileSync(csv.path, 'utf8'));
  assert.deepEqual(lines.map((line) => Number(line[0])), items);
  const at = header.indexOf('f12');
  lines.forEach((line) => assert.equal(Math.fround(Number(line[at])), column[Number(line[0])]));
  const json = await saved('Download JSON');
  const document = JSON.parse(readFileSync(json.path, 'utf8'));
  assert.deepEqual([document.format, document.items.length, document.filter, document.names['12'], document.run], ['orthant.selection.1', items.length, '"round things" > 0.4', 'round things', 'ncl']);
  await visit(page, base, '#/run/0/selection', '.selection-files');
  assert.match(await page.innerText('.filter-count'), /^1,200 items/);
  await page.setInputFiles('.selection-files input[type=file]', { name: 'mine.csv', mimeType: 'text/csv', buffer: Buffer.concat([readFileSync(csv.path), Buffer.from('9999,nowhere,,\r\n')]) });
  await page.waitForFunction((count) => document.querySelector('.filter-count').innerText.startsWith(`${count} of 1,200`), items.length);
  assert.match(await page.innerText('.selection-files'), new RegExp(`Picked ${items.length} items of the file; 1 of it are not here`));
  await page.waitForSelector('.telling');
  await page.getByRole('button', { name: 'Pick none' }).click();
  await page.setInputFiles('.selection-files input[type=file]', { name: 'mine.json', mimeType: 'application/json', buffer: Buffer.from('{"format":"another"}') });
  await page.waitForSelector('.selection-files .filter-error:has-text("orthant.selection.1")');
  const drop = await page.evaluateHandle((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], 'dropped.json', { type: 'application/json' }));
    return data;
  }, readFileSync(json.path, 'utf8'));
  await visit(page, base, '#/run/1/items', '.filter-box');
  await page.dispatchEvent('main', 'dragover', { dataTransfer: drop });
  assert.match(await page.innerText('.drop-veil'), /selection \(CSV or JSON\)/);
  await page.dispatchEvent('main', 'drop', { dataTransfer: drop });
  await page.waitForSelector('.toast');
  await page.waitForFunction((count) => document.querySelector('.filter-count')?.innerText.startsWith(`${count} of 1,200`), items.length);
  assert.match(page.url(), /selection/);
});

both('items are picked in the list by click and by keyboard', async (page, base) => {
  await visit(page, base, '#/run/1/items', '.items-grid .tile');
  await page.keyboard.press('p');
  await page.waitForSelector('.items-grid.picking');
  await page.locator('.items-grid .tile').nth(3).click();
  await page.locator('.items-grid .tile').nth(7).focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /2 items picked/.test(document.querySelector('.picking').innerText));
  await visit(page, base, '#/run/1/items?picked=1', '.items-grid .tile');
  await page.waitForFunction(() => document.querySelectorAll('.items-grid .tile').length === 2);
  assert.deepEqual(await shown_items(page), [3, 7]);
  await visit(page, base, '#/run/1/item/3', '.item-head');
  await page.getByRole('button', { name: 'In the selection: take out' }).click();
  await visit(page, base, '#/run/1/selection', '.filter-count');
  assert.match(await page.innerText('.filter-count'), /^1 of 1,200 items/);
});

both('items are ranked by weights on sliders, with parts that add up', async (page, base) => {
  await visit(page, base, `#/run/1/rank?${query({ weights: '"round things":1, -bold:0.5' })}`, '.why');
  const [round, bold] = [await source.activations(1, 12), await source.activations(1, 5)];
  const ranked = (weight) => [...round.keys()].map((item) => ({ item, score: weight * round[item] - 0.5 * bold[item] })).sort((x, y) => y.score - x.score || x.item - y.item);
  const order = () => page.$$eval('.tiles .tile', (tiles) => tiles.map((tile) => Number(/item\/(\d+)/.exec(tile.href)[1])));
  assert.deepEqual(await order(), ranked(1).slice(0, 60).map(({ item }) => item));
  const [score, sum] = await page.$eval('.why', (section) => [Number(section.dataset.score), Number(section.dataset.sum)]);
  assert.ok(Math.abs(score - sum) < 1e-9 && Math.abs(score - ranked(1)[0].score) < 1e-6);
  await page.locator('.tiles .tile').nth(5).click();
  await page.waitForFunction((item) => document.querySelector('#why-ranked').innerText.includes(`item ${item} `), ranked(1)[5].item);
  const slider = page.getByLabel('Weight of feature 12');
  await slider.focus();
  for (let step = 0; step < 40; ++step) await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(() => /round.things.%3A1%2C|-%22round\+things%22%3A1/.test(location.hash));
  assert.deepEqual((await order()).slice(0, 20), ranked(-1).slice(0, 20).map(({ item }) => item));
  await page.getByLabel('Feature to add').fill('3');
  await page.getByRole('button', { name: 'Add', exact: true }).first().click();
  await page.waitForFunction(() => document.querySelectorAll('.weight').length === 3);
  await page.getByRole('button', { name: 'Remove feature 5' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.weight').length === 2);
  await visit(page, base, `#/run/1/rank?${query({ weights: 'f12', filter: 'class=square' })}`, '.why');
  const square = classes.indexOf('square');
  const squares = (await where((_, label) => label === square)).sort((x, y) => round[y] - round[x] || x - y);
  await page.waitForFunction((first) => document.querySelector('.tiles .tile').href.includes(`item/${first}`), squares[0]);
  assert.deepEqual(await order(), squares.slice(0, 60));
});

both('a feature switched off or up changes the neighbours, with what was and is', async (page, base) => {
  const item = await source.item(1, 5);
  const [strongest] = item.features;
  await visit(page, base, '#/run/1/item/5', '#what-if');
  await page.locator('.what-if .controls button').first().click();
  await page.waitForSelector('.outcome');
  const changed = await source.changed(1, 5, [{ feature: strongest.feature, value: 0 }]);
  const read = () => page.$$eval('.outcome .tiles:first-of-type .changed-match', (all) => all.map((one) => [Number(/item\/(\d+)/.exec(one.querySelector('a').href)[1]), ...[...one.querySelectorAll('.caption')].slice(0, 2).map((caption) => Number(/[\d.-]+$/.exec(caption.innerText)[0]))]));
  const found = await read();
  found.slice(0, changed.neighbours.length).forEach(([near, score, was], at) => {
    assert.equal(near, changed.neighbours[at].item);
    assert.ok(Math.abs(score - changed.neighbours[at].score) < 6e-4 && Math.abs(was - changed.neighbours[at].was) < 6e-4);
  });
  const rows = await source.rows(1);
  const was = rows.explain(5, changed.neighbours[0].item).score;
  assert.ok(Math.abs(changed.neighbours[0].was - was) < 1e-9, 'what it was is the similarity of before');
  assert.ok(changed.neighbours.every((match, at, all) => at === 0 || all[at - 1].score >= match.score));
  await page.getByRole('button', { name: 'Up' }).click();
  await page.waitForFunction(() => !/%3A0($|&)/.test(location.hash));
  await page.getByRole('button', { name: `Leave feature ${strongest.feature} as it is` }).click();
  await page.waitForFunction(() => !document.querySelector('.outcome') && !location.hash.includes('set='));
});

both('a class is told by its features, and reached from its name', async (page, base) => {
  await visit(page, base, '#/run/1/item/5', '.item-id .class-link');
  await page.click('.item-id .class-link');
  await page.waitForSelector('.telling');
  const label = (await source.labels())[5];
  assert.match(await page.innerText('h1'), new RegExp(`^Class ${classes[label]} seen by ncl`));
  const items = await where((_, other) => other === label);
  assert.match(await page.innerText('.lead'), new RegExp(`^${items.length} of 1,200 items`));
  const contrast = await source.contrast(1, Uint8Array.from(await source.labels(), (other) => Number(other === label)));
  const rows = await page.$$eval('.telling tbody tr', (lines) => lines.map((line) => [Number(line.querySelector('.feature-number').innerText), ...[...line.cells].slice(1).map((cell) => cell.innerText.trim())]));
  assert.ok(rows.length >= 5 && rows.every(([feature]) => feature % 10 === label), 'the features made for the class');
  const one = contrast.features[rows[0][0]];
  assert.ok(Math.abs(Number.parseFloat(rows[0][4]) - (100 * one.firing) / (one.firing + one.firing_others)) < 0.6);
  await page.keyboard.press('j');
  await page.waitForFunction((name) => document.querySelector('h1').innerText.startsWith(`Class ${name}`), classes[label + 1]);
  await page.keyboard.press('Escape');
  await page.waitForSelector('.confusion');
  const vote = await source.vote(1);
  assert.match(await page.innerText('[aria-labelledby=taken]'), /no classifier: each item is taken for what most of its 10 nearest others are/);
  assert.match(await page.innerText('[aria-labelledby=taken]'), new RegExp(`${(vote.accuracy * 100).toFixed(1)} % of ${vote.judged.toLocaleString('en-US')} items are told right; always naming the most frequent class`));
});

test('with a classifier, what would change includes what it is taken for, and a class shows what carries it', async () => {
  const address = files.write('supervised.html', report_html(page_file, supervised));
  const { page, faults, close } = await watched_page(browser, address);
  const own = new StaticSource(make_report({ items: 300, features: 32, supervised: true }));
  const item = await own.item(1, 5);
  const gone = item.features.map(({ feature }) => `f${feature}:0`).join(', ');
  await visit(page, address, `#/run/1/item/5?${query({ set: gone })}`, '.outcome');
  const changed = await own.changed(1, 5, item.features.slice(0, 16).map(({ feature }) => ({ feature, value: 0 })));
  const words = await page.innerText('.outcome > p');
  assert.match(words, changed.prediction.class === item.prediction.class ? /It would still be taken for/ : /It would be taken for/);
  await visit(page, address, '#/run/1/class/2', '.telling');
  await page.waitForSelector('.parts');
  const [score, sum] = await page.$eval('.parts', (table) => [Number(table.dataset.score), Number(table.dataset.sum)]);
  assert.ok(Math.abs(score - sum) < 1e-6);
  assert.deepEqual(faults, []);
  await close();
});

const kViews = {
  filter: `#/run/1/items?${query({ filter: 'f3 > 0.1 and not class=circle' })}`,
  'broken filter': `#/run/1/items?${query({ filter: 'nothing like this' })}`,
  'filter without items': `#/run/1/items?${query({ filter: 'f3 > 1000' })}`,
  'map with a filter': `#/map/1?${query({ filter: 'class=circle' })}`,
  'selection of all': '#/run/1/selection',
  selection: `#/run/1/selection?${query({ filter: 'f3' })}`,
  'selection of none': `#/run/1/selection?${query({ filter: 'f3 > 1000' })}`,
  'dense selection': `#/run/0/selection?${query({ filter: 'f3 > 1 or class=star' })}`,
  rank: `#/run/1/rank?${query({ weights: 'f3:1, -f12:0.5' })}`,
  'empty rank': '#/run/1/rank',
  'broken rank': `#/run/1/rank?${query({ weights: 'f3:1,,' })}`,
  classes: '#/run/1/classes',
  class: '#/run/1/class/2',
  'dense class': '#/run/0/class/9',
  'what if': `#/run/1/item/5?${query({ set: 'f5:0, f12:2' })}`,
};

test('every view of this kind is complete, named and readable, light and dark, narrow and wide', async () => {
  for (const options of [{ colorScheme: 'light' }, { colorScheme: 'dark', viewport: { width: 375, height: 760 } }]) {
    const { page, faults, close } = await watched_page(browser, bases.report, options);
    for (const [name, hash] of Object.entries(kViews)) {
      await visit(page, bases.report, hash);
      await settled(page);
      assert.deepEqual(await page.evaluate(audit), [], name);
      assert.deepEqual(await page.evaluate(low_contrast), [], name);
      assert.equal(await page.evaluate(overflow), 0, name);
      assert.deepEqual(await page.evaluate(small_targets), [], name);
    }
    assert.deepEqual(faults, []);
    await close();
  }
});

test('reports without classes or pictures have these views too', async () => {
  const bare = files.write('bare.html', report_html(page_file, make_report({ items: 40, runs: 1, features: 8, classes: [], pictures: false, curves: false })));
  const { page, faults, close } = await watched_page(browser, bare);
  for (const hash of [`#/run/0/items?${query({ filter: 'f0' })}`, `#/run/0/selection?${query({ filter: 'f0 and id~1' })}`, `#/run/0/rank?${query({ weights: 'f0' })}`, '#/run/0/classes', '#/run/0/class/0', `#/map/0?${query({ filter: 'f1' })}`]) {
    await visit(page, bare, hash);
    await settled(page);
    assert.deepEqual(await page.evaluate(audit), [], hash);
  }
  assert.equal(await page.locator('.menu a', { hasText: 'Classes' }).count(), 0);
  assert.deepEqual(faults, []);
  await close();
});
