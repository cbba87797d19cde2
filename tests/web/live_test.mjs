// The live page against a server that speaks the contract.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, page_file, picture_pixels, visit, watched_page } from './browser.mjs';
import { audit, overflow } from './checks.mjs';
import { make_report, picture_pixel } from './fixture.mjs';
import { serve } from './fixture_server.mjs';
import { png } from './png.mjs';

let browser;
let server;

before(async () => {
  browser = await launch();
  server = await serve(page_file, make_report({ items: 400, features: 32 }));
});

after(async () => {
  await browser?.close();
  server?.close();
});

async function with_page(body) {
  const { page, faults, close } = await watched_page(browser, server.address);
  try {
    await body(page, faults);
    assert.deepEqual(faults, []);
  } finally {
    await close();
  }
}

test('every view renders live, with the right pictures', async () => {
  await with_page(async (page) => {
    for (const hash of ['#/', '#/run/1/features', '#/run/1/feature/12', '#/run/1/items', '#/run/1/item/5', '#/compare/0/1', '#/map/1', '#/map/1?colour=feature:12']) {
      await visit(page, server.address, hash);
      assert.deepEqual(await page.evaluate(audit), [], hash);
    }
    await visit(page, server.address, '#/run/1/item/77');
    const { rgb } = await picture_pixels(page, '.item-head canvas[data-item="77"]');
    const expected = [];
    for (let y = 0; y < 32; ++y) for (let x = 0; x < 32; ++x) expected.push(...picture_pixel(77, 7, x, y));
    assert.deepEqual(rgb, expected);
  });
});

test('a name is sent to the server and shown afterwards', async () => {
  await with_page(async (page) => {
    await visit(page, server.address, '#/run/1/feature/3');
    await page.fill('input[name=name]', 'stars & more');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForSelector('[role=status]:has-text("Saved")');
    assert.deepEqual(server.saved['1/3'], { name: 'stars & more', note: '' });
    await page.reload();
    await page.waitForSelector('h1 .feature-name:has-text("stars & more")');
  });
});

test('a name that the server refuses is not shown as saved, and can be tried again', async () => {
  const { page, faults, close } = await watched_page(browser, server.address);
  await visit(page, server.address, '#/run/1/feature/4');
  await page.route('**/label', (route) => route.fulfill({ status: 500, contentType: 'application/json', body: '{"error":"this folder cannot be written"}' }));
  await page.fill('input[name=name]', 'moons');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForSelector('[role=status]:has-text("this folder cannot be written")');
  assert.ok(!(await page.innerText('h1')).includes('moons'));
  assert.equal(await page.inputValue('input[name=name]'), 'moons');
  await page.unroute('**/label');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForSelector('h1 .feature-name:has-text("moons")');
  assert.deepEqual(faults.filter((fault) => !fault.includes('500')), []);
  await close();
});

test('of two windows that name one feature, the second is asked', async () => {
  const first = await watched_page(browser, server.address);
  const second = await watched_page(browser, server.address);
  const save = async ({ page }, name) => {
    await page.fill('input[name=name]', name);
    await page.getByRole('button', { name: 'Save' }).click();
  };
  for (const { page } of [first, second]) await visit(page, server.address, '#/run/1/feature/8');
  await first.page.fill('input[name=name]', 'ours');
  await second.page.fill('input[name=name]', 'theirs');
  await save(first, 'ours');
  await first.page.waitForSelector('[role=status]:has-text("Saved")');
  await save(second, 'theirs');
  await second.page.waitForSelector('[role=alert]:has-text("named ours in another window")');
  assert.equal(server.saved['1/8'].name, 'ours');
  assert.equal(await second.page.inputValue('input[name=name]'), 'theirs');
  await second.page.getByRole('button', { name: 'Save mine instead' }).click();
  await second.page.waitForSelector('[role=status]:has-text("Saved")');
  assert.equal(server.saved['1/8'].name, 'theirs');
  await first.page.evaluate(() => dispatchEvent(new Event('focus')));
  await first.page.waitForSelector('h1 .feature-name:has-text("theirs")');
  assert.deepEqual(first.faults, []);
  assert.deepEqual(second.faults.filter((fault) => !fault.includes('409')), []);
  await first.close();
  await second.close();
});

test('an own image is embedded and explained; a broken one gives the server\'s line', async () => {
  const { page, faults, close } = await watched_page(browser, server.address);
  await visit(page, server.address, '#/run/1/items');
  const input = page.locator('.drop input[type=file]');
  await input.setInputFiles({ name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('not a PNG') });
  await page.waitForSelector('[role=alert]:has-text("broken.png: expected a PNG or JPEG")');
  await input.setInputFiles({ name: 'mine.png', mimeType: 'image/png', buffer: png(8, 8, Buffer.alloc(192, 90)) });
  await page.waitForFunction(() => document.querySelectorAll('.own .why').length === 2);
  const sums = await page.$$eval('.own .why', (found) => found.map((section) => [Number(section.dataset.score), Number(section.dataset.sum)]));
  for (const [score, sum] of sums) assert.ok(Math.abs(score - sum) < 1e-9);
  assert.equal(await page.locator('[role=alert]').count(), 0);
  assert.deepEqual(await page.evaluate(audit), []);
  assert.deepEqual(faults.filter((fault) => !fault.includes('415')), []);
  await close();
});

test('an own image stays through Back and other views, and is explained by any neighbour', async () => {
  await with_page(async (page) => {
    await visit(page, server.address, '#/run/1/feature/3');
    const bytes = png(8, 8, Buffer.alloc(192, 90)).toString('base64');
    const dropped = await page.evaluateHandle((text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], 'dropped.png', { type: 'image/png' }));
      return transfer;
    }, bytes);
    await page.dispatchEvent('h1', 'dragover', { dataTransfer: dropped });
    await page.waitForSelector('.drop-veil');
    await page.dispatchEvent('h1', 'drop', { dataTransfer: dropped });
    await page.waitForFunction(() => document.querySelectorAll('.own .why').length === 2);
    assert.equal(await page.locator('.drop-veil').count(), 0);
    const steps = await page.evaluate(() => history.length);
    const second = page.locator('.seen-by').last();
    const tile = second.locator('[aria-label*="item"].tile').nth(3);
    const score = Number(await tile.locator('.caption').innerText());
    await tile.click();
    await page.waitForFunction((wanted) => Math.abs(Number([...document.querySelectorAll('.own .why')].at(-1)?.dataset.score) - wanted) < 6e-4, score);
    assert.equal(await tile.getAttribute('aria-current'), 'true');
    assert.equal(await page.evaluate(() => history.length), steps, 'choosing a neighbour is no step of the history');
    await second.locator('.feature-link').first().click();
    await page.waitForFunction(() => /feature/.test(location.hash));
    await page.goBack();
    await page.waitForFunction(() => document.querySelectorAll('.own .why').length === 2);
    assert.equal(await page.locator('.seen-by').last().locator('.tile[aria-current=true]').count(), 1);
    assert.ok(Math.abs(Number(await page.locator('.own .why').last().getAttribute('data-score')) - score) < 6e-4);
    await visit(page, server.address, '#/run/0/items');
    await page.getByRole('link', { name: 'Back to your picture' }).click();
    await page.waitForSelector('.own h2:has-text("dropped.png")');
  });
});

test('when the server is gone, every view says so and recovers', async () => {
  const { page, close } = await watched_page(browser, server.address);
  await visit(page, server.address, '#/run/1/items');
  await page.route('**/api/**', (route) => route.abort());
  for (const hash of ['#/run/1/feature/9', '#/run/1/item/9', '#/compare/0/1', '#/map/0', '#/run/0/items']) {
    await visit(page, server.address, hash, 'main .failed');
    assert.match(await page.innerText('main .failed'), /server does not answer/);
  }
  await page.unroute('**/api/**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.waitForSelector('.items-grid .tile');
  await close();
});

test('a picture of one\'s own fits a phone, and is asked for only where there is a model', async () => {
  const { page, faults, close } = await watched_page(browser, server.address, { viewport: { width: 375, height: 720 } });
  await visit(page, server.address, '#/own');
  await page.locator('.drop input[type=file]').setInputFiles({ name: 'mine.png', mimeType: 'image/png', buffer: png(8, 8, Buffer.alloc(192, 90)) });
  await page.waitForFunction(() => document.querySelectorAll('.own .why').length === 2);
  assert.equal(await page.evaluate(overflow), 0);
  const lines = await page.$$eval('.own .glimpse-samples', (found) => found.map((samples) => new Set([...samples.children].filter((one) => one.checkVisibility()).map((one) => one.offsetTop)).size));
  assert.ok(lines.length > 0 && lines.every((count) => count === 1), 'the pictures of a feature stand in one line');
  assert.deepEqual(faults, []);
  await close();
  const file = await serve(page_file, make_report({ items: 60, features: 16, curves: false }));
  const bare = await watched_page(browser, file.address);
  await visit(bare.page, file.address, '#/run/0/items');
  assert.doesNotMatch(await bare.page.innerText('body'), /your picture|own picture/i);
  await visit(bare.page, file.address, '#/own');
  assert.match(await bare.page.innerText('main'), /no model here/);
  assert.deepEqual(bare.faults, []);
  await bare.close();
  file.close();
});
