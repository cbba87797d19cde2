// Items with captions, items that are texts, and features by their words.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page_file, visit } from './browser.mjs';
import { audit, low_contrast, overflow } from './checks.mjs';
import { make_report } from './fixture.mjs';
import { serve } from './fixture_server.mjs';
import { with_page, write_report } from './full_report.mjs';

const kColours = ['red', 'green', 'blue', 'yellow', 'purple'];
const kShapes = ['circle', 'square', 'triangle', 'star', 'ring', 'cross', 'heart', 'moon', 'arrow', 'leaf'];
const captions = (item) => [`a small ${kColours[item % 5]} ${kShapes[item % 10]} near the top`, `${kColours[item % 5]} ${kShapes[item % 10]} on a dark ground, number ${item}`];
const words = (feature) => (feature === 3 ? [] : [kShapes[feature % 10], kColours[feature % 5], 'small', 'ground', 'top', 'number', 'dark']);
const options = { items: 400, features: 32, texts: captions, words };
const kViews = ['#/', '#/run/1/features', '#/run/1/feature/12', '#/run/0/feature/3', '#/run/1/items', '#/run/1/item/7', '#/compare/0/1', '#/map/1'];

test('captions and words stand beside the pictures in every view, at every width and in both colours', async () => {
  const address = write_report('captions.html', options);
  for (const [width, colorScheme] of [[1280, 'light'], [375, 'dark']]) {
    await with_page(async (page) => {
      for (const hash of kViews) {
        await visit(page, address, hash);
        assert.deepEqual(await page.evaluate(audit), [], hash);
        assert.deepEqual(await page.evaluate(low_contrast), [], hash);
        assert.equal(await page.evaluate(overflow), 0, `${hash} at ${width}`);
      }
    }, { viewport: { width, height: 800 }, colorScheme }, address);
  }
});

test('an item shows all its captions, a list the first on hover', async () => {
  const address = write_report('captions-item.html', options);
  await with_page(async (page) => {
    await visit(page, address, '#/run/1/item/7');
    await page.waitForSelector('.texts li');
    assert.deepEqual(await page.locator('.texts li').allInnerTexts(), captions(7));
    const tile = page.locator('.tiles .tile').first();
    await page.waitForFunction(() => document.querySelector('.tiles .tile').title.includes('a small'));
    const item = Number(/item\/(\d+)/.exec(await tile.getAttribute('href'))[1]);
    assert.ok((await tile.getAttribute('title')).includes(captions(item)[0]));
  }, {}, address);
});

test('a feature shows its words with their numbers, and says where there are none', async () => {
  const address = write_report('captions-feature.html', options);
  await with_page(async (page) => {
    await visit(page, address, '#/run/1/feature/12');
    const rows = await page.locator('.feature-words tbody tr').allInnerTexts();
    assert.equal(rows.length, 7);
    assert.match(rows[0], /triangle\s+1\.50\s+0\.0200\s+40/);
    assert.match(await page.innerText('.feature-words thead'), /mean with it\s+without\s+items with it, of 400/);
    await visit(page, address, '#/run/1/feature/3');
    assert.match(await page.innerText('.feature-words'), /None stands out/);
    await visit(page, address, '#/run/0/feature/3');
    assert.equal(await page.locator('.strongest.negative .feature-words tbody tr').count(), 7);
    await visit(page, address, '#/run/1/features?sort=number');
    const card = page.locator('.feature-card').nth(12);
    assert.deepEqual(await card.locator('.word').allInnerTexts(), words(12).slice(0, 6));
    assert.match(await card.locator('.word').first().getAttribute('title'), /mean 1\.50 over the 40 items with this word, 0\.0200 over the 360 without/);
  }, {}, address);
});

test('the search finds features by a word', async () => {
  const address = write_report('captions-search.html', options);
  await with_page(async (page) => {
    await visit(page, address, '#/run/1/items');
    await page.fill('#search', 'triangle');
    await page.waitForSelector('[role=option]:has-text("feature 2 of ncl")');
    await page.press('#search', 'Enter');
    await page.waitForFunction(() => location.hash.startsWith('#/run/1/feature/2'));
    await page.waitForSelector('.feature-words');
    assert.match(await page.locator('.feature-words tbody th').first().innerText(), /triangle/);
  }, {}, address);
});

test('items that are texts are legible lines everywhere', async () => {
  const long = `${'A subject that goes on and on, '.repeat(40)} end`;
  const address = write_report('texts.html', { ...options, pictures: false, texts: (item) => [item % 3 ? `Re: ${kShapes[item % 10]} question number ${item} for everyone` : `${long}${item}`] });
  for (const width of [1280, 375]) {
    await with_page(async (page) => {
      for (const hash of kViews) {
        await visit(page, address, hash);
        assert.deepEqual(await page.evaluate(audit), [], hash);
        assert.equal(await page.evaluate(overflow), 0, `${hash} at ${width}`);
      }
      await visit(page, address, '#/run/1/items');
      await page.waitForSelector('.items-grid .text-line:has-text("question number")');
      const sizes = await page.$$eval('.items-grid .text-line', (lines) => lines.map((line) => [line.clientWidth, parseFloat(getComputedStyle(line).fontSize)]));
      assert.ok(sizes.every(([wide, high]) => wide > 200 && high >= 12), 'wide enough to read');
      assert.match(await page.innerText('main'), /question number 1 for everyone/);
      await visit(page, address, '#/');
      assert.match(await page.innerText('main'), /no pictures here: they are shown by their texts and class/);
    }, { viewport: { width, height: 800 } }, address);
  }
});

test('items that are single words show several for a feature, and need no classes to be looked at', async () => {
  const address = write_report('words.html', { ...options, classes: [], pictures: false, texts: (item) => [`${kShapes[item % 10]}${item}`] });
  await with_page(async (page) => {
    await visit(page, address, '#/');
    await page.waitForSelector('.look-samples .chip.small');
    assert.ok((await page.locator('.look-row').first().locator('.chip.small').count()) > 4);
    assert.doesNotMatch(await page.innerText('main'), /Class consistency, strongest 1 %/);
    await visit(page, address, '#/run/1/item/9');
    await page.waitForSelector('.glimpse .chip.small');
    assert.deepEqual(await page.evaluate(audit), []);
    assert.equal(await page.evaluate(overflow), 0);
  }, {}, address);
});

test('a server gives the same', async () => {
  const server = await serve(page_file, make_report(options));
  try {
    await with_page(async (page) => {
      await visit(page, server.address, '#/run/1/item/9');
      assert.deepEqual(await page.locator('.texts li').allInnerTexts(), captions(9));
      await page.waitForFunction(() => document.querySelector('.tiles .tile').title.includes('a small'));
    }, {}, server.address);
  } finally {
    server.close();
  }
});
