// `orthant explore` of the built program, on sprites: the page live, names that last, pictures of the user's own.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, picture_pixels, temporary_folder, visit, watched_page } from './browser.mjs';
import { audit, low_contrast, overflow } from './checks.mjs';
import { random } from './fixture.mjs';
import { read_npz, write_npy } from './npy.mjs';
import { LiveSource } from '../../web/src/source/live_source.js';
import { best_of } from '../../web/src/source/ranking.js';
import { vote_of } from '../../web/src/source/vote.js';
import { png } from './png.mjs';

const kItems = 300;
const kFeatures = 16;
const program = process.env.ORTHANT_PROGRAM ?? '';
const environment = { ...process.env, OMP_WAIT_POLICY: 'passive' };
const orthant = (...words) => execFileSync(program, words, { encoding: 'utf8', env: environment });
const can_train = existsSync(join(dirname(program), 'orthant-learn'));

globalThis.location ??= { search: '' }; // what the live source reads its token from

let browser;
let files;
let data;

/** A server of the program's, once it has told its address. */
async function explore(...words) {
  const child = spawn(program, ['explore', ...words], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((done) => child.on('exit', (code) => done(code)));
  const address = await new Promise((done, failed) => {
    let told = '';
    child.stdout.on('data', (text) => {
      told += text;
      const found = told.match(/http:\/\/\S+/);
      if (found) done(found[0]);
    });
    ended.then((code) => failed(new Error(`explore ended with ${code}`)));
  });
  return {
    address,
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

before(async () => {
  browser = await launch();
  files = temporary_folder();
  files.path = (name) => join(files.folder, name);
  orthant('data', 'export', 'sprites', '--split', 'test', '--size', `${kItems}`, '-o', files.path('data.npz'), '--quiet');
  data = read_npz(files.path('data.npz'));
  const next = random(5);
  for (const name of ['first', 'second']) {
    const rows = Float32Array.from({ length: kItems * kFeatures }, () => Math.max(0, next() - 0.6));
    write_npy(files.path(`${name}.npy`), [kItems, kFeatures], rows);
  }
  files.words = [files.path('first.npy'), files.path('second.npy'), '--data', 'sprites', '--split', 'test', '--size', `${kItems}`];
});

after(async () => {
  await browser?.close();
  files?.remove();
});

async function with_page(address, body, options) {
  const { page, faults, close } = await watched_page(browser, address, options);
  try {
    await body(page, faults);
    assert.deepEqual(faults, []);
  } finally {
    await close();
  }
}

function pixels_of(item) {
  const size = data.images.values.length / kItems;
  return Buffer.from(data.images.values.subarray(item * size, (item + 1) * size));
}

test('what the server computes of chosen and changed items is what the page computes from their rows', async () => {
  const server = await explore(...files.words);
  const live = new LiveSource(`${server.address}api/v1`);
  try {
    const rows = await live.rows_of(1, Array.from({ length: kItems }, (_, item) => item));
    assert.equal(rows.rows, kItems);
    const chosen = Uint8Array.from({ length: kItems }, (_, item) => Number(item % 7 === 2));
    const near = (x, y, what) => assert.ok(Math.abs(x - y) <= 1e-9 * Math.max(1, Math.abs(y)), `${what}: ${x} is not ${y}`);
    const [told, own] = [await live.contrast(1, chosen), rows.contrast(chosen, kFeatures)];
    assert.deepEqual([told.items, told.others, told.features.length], [own.items, own.others, kFeatures]);
    told.features.forEach((one, feature) => {
      assert.deepEqual([one.feature, one.firing, one.firing_others], [feature, own.features[feature].firing, own.features[feature].firing_others]);
      for (const key of ['mean', 'mean_others', 'deviation']) near(one[key], own.features[feature][key], key);
    });
    const item = await live.item(1, 5);
    const [{ feature }] = item.features;
    const changed = await live.changed(1, 5, [{ feature, value: 0 }]);
    const query = new Float32Array(kFeatures);
    for (const entry of rows.all(5)) query[entry.feature] = entry.value;
    const was = rows.cosines(query);
    query[feature] = 0;
    const is = rows.cosines(query);
    const order = best_of(is, changed.neighbours.length + 1).filter((other) => other !== 5).slice(0, changed.neighbours.length);
    changed.neighbours.forEach((match, at) => {
      near(match.score, is[order[at]], 'score');
      near(match.score, is[match.item], 'score');
      near(match.was, was[match.item], 'was');
    });
    assert.deepEqual(changed.before.map((match) => match.item), item.neighbours.map((match) => match.item));
    const labels = await live.labels();
    const neighbours = [];
    for (let other = 0; other < kItems; ++other) neighbours.push((await live.item(1, other)).neighbours.map((match) => match.item));
    const { classes } = (await live.overview()).data;
    assert.deepEqual(await live.vote(1), vote_of(labels, classes.length, neighbours[0].length, (other) => neighbours[other]));
    await assert.rejects(live.changed(1, 5, [{ feature: 99, value: 0 }]), /expected feature 0 to 15/);
    await assert.rejects(live.contrast(1, new Uint8Array(7)), /expected a body of 38 bytes/);
  } finally {
    assert.equal(await server.stop(), 0);
  }
});

test('every view renders live; pictures are those of the data set; why it matches adds up', async () => {
  const server = await explore(...files.words);
  try {
    for (const options of [{ colorScheme: 'dark' }, { colorScheme: 'light', viewport: { width: 390, height: 760 } }]) {
      await with_page(server.address, async (page) => {
        for (const hash of ['#/', '#/run/0/features', '#/run/1/feature/3', '#/run/1/items?class=2', '#/run/1/item/7', '#/compare/0/1', '#/map/1?layout=umap', '#/map/0?layout=pca&colour=feature:3']) {
          await visit(page, server.address, hash);
          assert.deepEqual(await page.evaluate(audit), [], hash);
          assert.deepEqual(await page.evaluate(low_contrast), [], hash);
          assert.equal(await page.evaluate(overflow), 0, hash);
        }
      }, options);
    }
    await with_page(server.address, async (page) => {
      for (const item of [0, 150, 299]) {
        await visit(page, server.address, `#/run/1/item/${item}`, '.why');
        const { rgb } = await picture_pixels(page, `.item-head canvas[data-item="${item}"]`);
        assert.deepEqual(rgb, Array.from(pixels_of(item)), `item ${item}`);
        const [score, sum] = await page.$eval('.why', (section) => [Number(section.dataset.score), Number(section.dataset.sum)]);
        assert.ok(Math.abs(score - sum) < 1e-12);
      }
      await visit(page, server.address, '#/run/0/feature/3');
      const shown = await page.$$eval('canvas.picture[data-item]', (found) => found.slice(0, 8).map((canvas) => Number(canvas.dataset.item)));
      for (const item of shown) {
        const { rgb } = await picture_pixels(page, `canvas[data-item="${item}"]`);
        assert.deepEqual(rgb, Array.from(pixels_of(item)), `item ${item}`);
      }
    });
  } finally {
    assert.equal(await server.stop(), 0);
  }
});

test('a name lasts beyond the server and reaches every view and the report', async () => {
  const name = '</script><b>stars</b> "&\' \u{1f300}';
  let server = await explore(...files.words);
  try {
    await with_page(server.address, async (page) => {
      await visit(page, server.address, '#/run/1/feature/3');
      await page.fill('input[name=name]', name);
      await page.fill('textarea', 'pointed');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.waitForSelector('[role=status]:has-text("Saved")');
    });
  } finally {
    await server.stop();
  }
  const saved = JSON.parse(readFileSync(files.path('second.npy.names.json'), 'utf8'));
  assert.deepEqual(saved.features, { 3: { name, note: 'pointed' } });
  server = await explore(...files.words);
  try {
    await with_page(server.address, async (page) => {
      await visit(page, server.address, '#/run/1/feature/3');
      assert.ok((await page.innerText('h1')).includes(name));
      await visit(page, server.address, '#/run/1/features?sort=number');
      assert.ok((await page.innerText('main')).includes(name));
    });
  } finally {
    await server.stop();
  }
  orthant('report', ...files.words, '--quiet', '-o', files.path('named.html'));
  const address = `file://${files.path('named.html')}`;
  await with_page(address, async (page) => {
    await visit(page, address, '#/run/1/feature/3');
    assert.ok((await page.innerText('h1')).includes(name));
  });
});

test('a picture of one\'s own is embedded by the model: an item of the data set finds itself', { skip: !can_train && 'this build cannot train' }, async () => {
  const run = files.path('run');
  orthant('pretrain', '--data', 'sprites', '--train-size', '256', '--epochs', '1', '--batch', '64', '--backbone', 'conv-mini', '--quiet', '-o', run);
  const server = await explore(run, '--size', `${kItems}`, '--max-pixels', '2000', '--quiet');
  const { page, faults, close } = await watched_page(browser, server.address);
  try {
    await visit(page, server.address, '#/run/0/items');
    const input = page.locator('.drop input[type=file]');
    await input.setInputFiles({ name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('\x89PNG\r\n\x1a\n and no more', 'latin1') });
    await page.waitForSelector('[role=alert]:has-text("broken.png: ")');
    await input.setInputFiles({ name: 'large.png', mimeType: 'image/png', buffer: png(50, 41, Buffer.alloc(50 * 41 * 3)) });
    await page.waitForSelector('[role=alert]:has-text("expected at most 2000 pixels and 65500 a side, got 50 x 41")');
    const [, height, width] = data.images.shape;
    await input.setInputFiles({ name: 'mine.png', mimeType: 'image/png', buffer: png(width, height, pixels_of(42)) });
    await page.waitForSelector('.own .why');
    const first = await page.$eval('.own .why', (section) => ({ score: Number(section.dataset.score), sum: Number(section.dataset.sum) }));
    assert.ok(Math.abs(first.score - first.sum) < 1e-12);
    assert.ok(first.score > 0.9999, `${first.score}`);
    const nearest = await page.$eval('.own .tiles canvas[data-item]', (canvas) => Number(canvas.dataset.item));
    assert.equal(nearest, 42);
    assert.deepEqual(faults.filter((fault) => !fault.includes('415')), []);
  } finally {
    await close();
    assert.equal(await server.stop(), 0);
  }
});

test('a run on pictures with captions is asked in words', { skip: !can_train }, async () => {
  const run = files.path('pairs');
  orthant('pretrain', '--pairs', 'sprites', '--with', 'captions', '--train-size', '256', '--epochs', '1', '--batch', '64', '--threads', '1', '--quiet', '-o', run);
  const server = await explore(run, '--size', '100', '--quiet');
  try {
    await with_page(server.address, async (page) => {
      await visit(page, server.address, '#/run/0/item/3');
      await page.waitForSelector('.texts li');
      await visit(page, server.address, '#/');
      await page.fill('.ask input', 'a small red heart');
      await page.press('.ask input', 'Enter');
      await page.waitForSelector('.seen-by .why');
      const [score, sum] = await page.$eval('.why', ({ dataset }) => [Number(dataset.score), Number(dataset.sum)]);
      assert.ok(Math.abs(score - sum) < 1e-9);
      assert.equal(await page.locator('.seen-by .tile canvas').first().isVisible(), true);
      assert.deepEqual(await page.evaluate(audit), []);
    });
    const ask = (body) => fetch(`${server.address}api/v1/runs/0/text`, { method: 'POST', body });
    const found = await (await ask('a small red heart')).json();
    assert.equal(found.neighbours.length, 24);
    assert.equal((await ask('  ')).status, 400);
    assert.equal((await ask(Uint8Array.of(255, 254))).status, 400);
  } finally {
    assert.equal(await server.stop(), 0);
  }
});
