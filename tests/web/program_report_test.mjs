// A report that the built program wrote, on painted sprites: what is on the screen is compared with the data set and
// with the features that went in. Where the program can train, a tiny run is trained and shown as well.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { launch, picture_pixels, temporary_folder, visit, watched_page } from './browser.mjs';
import { audit, low_contrast, overflow } from './checks.mjs';
import { random } from './fixture.mjs';
import { read_npz, write_npy } from './npy.mjs';

const kItems = 1100; // more than one sheet of pictures
const kFeatures = 24;

const program = process.env.ORTHANT_PROGRAM ?? '';
const orthant = (...words) => execFileSync(program, words, { encoding: 'utf8', env: { ...process.env, OMP_WAIT_POLICY: 'passive' } });
const can_train = existsSync(join(dirname(program), 'orthant-learn'));

let browser;
let files;
let data;
const runs = {};

/** Random projections of the pixels; `sparse` keeps what is far above the feature's mean. */
function features_of({ shape, values }, sparse) {
  const [items, pixels] = [shape[0], shape[1] * shape[2] * shape[3]];
  const next = random(sparse ? 3 : 4);
  const weights = Float32Array.from({ length: pixels * kFeatures }, () => next() - 0.5);
  const rows = new Float32Array(items * kFeatures);
  for (let item = 0; item < items; ++item) {
    for (let pixel = 0; pixel < pixels; pixel += 5) {
      const value = values[item * pixels + pixel] / 255;
      for (let feature = 0; feature < kFeatures; ++feature) rows[item * kFeatures + feature] += value * weights[pixel * kFeatures + feature];
    }
  }
  for (let feature = 0; feature < kFeatures; ++feature) {
    let [sum, squares] = [0, 0];
    for (let item = 0; item < items; ++item) {
      sum += rows[item * kFeatures + feature];
      squares += rows[item * kFeatures + feature] ** 2;
    }
    const mean = sum / items;
    const spread = Math.sqrt(squares / items - mean ** 2);
    for (let at = feature; at < rows.length; at += kFeatures) {
      const value = (rows[at] - mean) / spread;
      rows[at] = sparse ? Math.max(0, value - 1) : value;
    }
  }
  return rows;
}

before(async () => {
  browser = await launch();
  files = temporary_folder();
  const path = (name) => join(files.folder, name);
  orthant('data', 'export', 'sprites', '--split', 'test', '--size', `${kItems}`, '-o', path('data.npz'), '--quiet');
  data = read_npz(path('data.npz'));
  for (const [name, sparse] of [['dense', false], ['sparse', true]]) {
    runs[name] = features_of(data.images, sparse);
    write_npy(path(`${name}.npy`), [kItems, kFeatures], runs[name]);
  }
  files.line = orthant('report', path('dense.npy'), path('sparse.npy'), '--data', 'sprites', '--split', 'test', '--size', `${kItems}`, '-o', path('report.html'));
  files.report = pathToFileURL(path('report.html')).href;
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

const kViews = ['#/', '#/run/0/features', '#/run/1/features?sort=firing', '#/run/1/feature/3', '#/run/0/feature/3', '#/run/1/items?class=2', '#/run/1/item/7', '#/run/0/item/1099', '#/compare/0/1', '#/map/1?layout=umap', '#/map/0?layout=pca&colour=feature:3'];

async function check_views(address, views) {
  for (const options of [{ colorScheme: 'dark' }, { colorScheme: 'light', viewport: { width: 390, height: 760 } }]) {
    await with_page(address, async (page) => {
      for (const hash of views) {
        await visit(page, address, hash);
        assert.deepEqual(await page.evaluate(audit), [], hash);
        assert.deepEqual(await page.evaluate(low_contrast), [], hash);
        assert.equal(await page.evaluate(overflow), 0, hash);
      }
    }, options);
  }
}

/** The picture of an item in the data set, RGB. */
function pixels_of(item) {
  const size = data.images.values.length / kItems;
  return Array.from(data.images.values.subarray(item * size, (item + 1) * size));
}

test('the program says what it wrote', () => {
  assert.match(files.line, /report\.html: [\d.]+ MB, 2 runs, 1100 items, pictures exact\n$/);
});

test('every view of a written report renders, complete and named', () => check_views(files.report, kViews));

test('thumbnails are the pictures of the data set, pixel for pixel', async () => {
  await with_page(files.report, async (page) => {
    for (const item of [0, 33, 1023, 1024, 1099]) {
      await visit(page, files.report, `#/run/1/item/${item}`);
      const { rgb } = await picture_pixels(page, `.item-head canvas[data-item="${item}"]`);
      assert.deepEqual(rgb, pixels_of(item), `item ${item}`);
    }
    await visit(page, files.report, '#/run/1/feature/3');
    const shown = await page.$$eval('canvas.picture[data-item]', (found) => [...new Set(found.map((canvas) => Number(canvas.dataset.item)))]);
    assert.ok(shown.length > 24);
    for (const item of shown.slice(0, 12)) {
      const { rgb } = await picture_pixels(page, `canvas[data-item="${item}"]`);
      assert.deepEqual(rgb, pixels_of(item), `item ${item}`);
    }
  });
});

test('the strongest examples of a feature are those of the features that went in', async () => {
  const values = runs.sparse.filter((_, at) => at % kFeatures === 3);
  const order = [...values.keys()].sort((x, y) => values[y] - values[x] || x - y);
  await with_page(files.report, async (page) => {
    await visit(page, files.report, '#/run/1/feature/3');
    const shown = await page.$$eval('canvas.picture[data-item]', (found) => found.slice(0, 12).map((canvas) => Number(canvas.dataset.item)));
    assert.deepEqual(shown, order.slice(0, 12));
  });
});

test('why it matches adds up to the cosine of the features that went in', async () => {
  await with_page(files.report, async (page) => {
    for (const [run, name] of [[0, 'dense'], [1, 'sparse']]) {
      for (const [a, b] of [[5, 60], [7, 1098], [12, 900]]) {
        const row = (item) => runs[name].subarray(item * kFeatures, (item + 1) * kFeatures);
        const dot = (x, y) => x.reduce((sum, value, at) => sum + value * y[at], 0);
        const norms = Math.sqrt(dot(row(a), row(a)) * dot(row(b), row(b)));
        const cosine = norms > 0 ? dot(row(a), row(b)) / norms : 0; // an item without any feature is like no other
        await visit(page, files.report, `#/run/${run}/item/${a}?with=${b}`, '.why');
        const [score, sum] = await page.$eval('.why', (section) => [Number(section.dataset.score), Number(section.dataset.sum)]);
        assert.ok(Math.abs(score - sum) < 1e-12);
        assert.ok(Math.abs(score - cosine) < 1e-3, `${name} ${a} ${b}: ${score} is not ${cosine}`);
      }
    }
  });
});

test('a report of bare features, without labels or pictures, is complete as well', async () => {
  const path = join(files.folder, 'bare.html');
  orthant('report', join(files.folder, 'sparse.npy'), '--quiet', '-o', path);
  const address = pathToFileURL(path).href;
  await check_views(address, ['#/', '#/run/0/features', '#/run/0/feature/3', '#/run/0/items', '#/run/0/item/7', '#/compare/0/0', '#/map/0']);
  await with_page(address, async (page) => {
    await visit(page, address, '#/');
    assert.match(await page.innerText('main'), /1,100 items, without labels\. Items have no pictures here/);
  });
});

test('a trained run is shown with its recipe, its curves and its measures', { skip: !can_train && 'this build cannot train' }, async () => {
  const run = join(files.folder, 'tiny');
  orthant('pretrain', '--data', 'sprites', '--train-size', '256', '--epochs', '2', '--batch', '64', '--backbone', 'conv-mini', '--quiet', '-o', run);
  orthant('report', run, '--size', '300', '--quiet', '-o', join(run, 'report.html'));
  const address = pathToFileURL(join(run, 'report.html')).href;
  await check_views(address, ['#/', '#/run/0/features', '#/run/0/feature/0', '#/run/0/items', '#/run/0/item/7', '#/compare/0/0', '#/map/0']);
  await with_page(address, async (page) => {
    await visit(page, address, '#/');
    const text = await page.innerText('main');
    assert.match(text, /sprites/);
    assert.doesNotMatch(text, /No training curves/);
    assert.ok((await page.locator('main svg').count()) > 0);
  });
});
