// Names of features: given, kept, drafted, merged, read from a file and searched for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from './browser.mjs';
import { full, with_page } from './full_report.mjs';

test('a name appears everywhere, and is there after a reload', async () => {
  await with_page(async (page) => {
    await visit(page, full(), '#/run/1/feature/5');
    await page.fill('input[name=name]', 'purple squares');
    await page.fill('textarea[name=note]', 'weak ones differ');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForSelector('h1 .feature-name:has-text("purple squares")');
    await page.reload();
    await page.waitForSelector('h1 .feature-name:has-text("purple squares")');
    assert.equal(await page.inputValue('textarea[name=note]'), 'weak ones differ');
    await visit(page, full(), '#/run/1/item/5');
    assert.match(await page.innerText('main'), /purple squares/);
    await visit(page, full(), '#/run/1/features?show=named&sort=name');
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

test('proposed names are marked, found, and accepted one by one or all above a score', async () => {
  await with_page(async (page) => {
    await visit(page, full(), '#/');
    await page.fill('#search', 'wheelb');
    await page.waitForSelector('[role=option]:has-text("wheelbarrow?")');
    await visit(page, full(), '#/run/1/feature/50');
    assert.match(await page.innerText('.proposal'), /from captions.txt: wheelbarrow score 3.00, by chance 1.00/);
    assert.equal(await page.inputValue('input[name=name]'), '');
    await page.focus('main h1 + *, main a');
    await page.keyboard.press('a');
    await page.waitForSelector('h1 .feature-name:not(.proposed):has-text("wheelbarrow")');
    assert.equal(await page.inputValue('input[name=name]'), 'wheelbarrow');
    await page.reload();
    await page.waitForSelector('h1 .feature-name:has-text("wheelbarrow")');
    assert.equal(await page.locator('.proposal').count(), 0);
    await visit(page, full(), '#/run/1/features?sort=number');
    assert.match(await page.innerText('.proposals'), /3 names proposed; the 2 above chance/);
    await page.getByRole('button', { name: 'Accept 1 name' }).click(); // zebra is above chance by a half, yak is not
    await page.waitForSelector('.proposals:has-text("2 names proposed")');
    await visit(page, full(), '#/run/1/feature/51');
    await page.waitForSelector('h1 .feature-name:not(.proposed):has-text("zebra")');
    await visit(page, full(), '#/run/1/feature/52');
    await page.waitForSelector('h1 .feature-name.proposed:has-text("yak?")');
    await page.getByRole('button', { name: 'Accept (A)' }).click();
    await page.waitForSelector('h1 .feature-name:not(.proposed):has-text("yak")');
    await visit(page, full(), '#/run/1/feature/53');
    assert.match(await page.innerText('.proposal'), /gnu score 0.90, by chance 1.00: random items would give as much/);
    assert.equal(await page.locator('h1 .feature-name').count(), 0);
  });
});

test('what is written and not saved is still there after leaving and after a reload', async () => {
  await with_page(async (page) => {
    await visit(page, full(), '#/run/1/feature/30');
    await page.fill('input[name=name]', 'half a thought');
    await visit(page, full(), '#/run/1/feature/31');
    assert.equal(await page.inputValue('input[name=name]'), '');
    await visit(page, full(), '#/run/1/feature/30');
    assert.equal(await page.inputValue('input[name=name]'), 'half a thought');
    await page.reload();
    await page.waitForSelector('[role=status]:has-text("draft")');
    assert.equal(await page.inputValue('input[name=name]'), 'half a thought');
    await page.getByRole('button', { name: 'Discard' }).click();
    assert.equal(await page.inputValue('input[name=name]'), '');
    await page.reload();
    await page.waitForSelector('main h1');
    assert.equal(await page.inputValue('input[name=name]'), '');
  });
});

test('two windows of a report lose no name of each other', async () => {
  await with_page(async (page) => {
    const other = await page.context().newPage();
    for (const window of [page, other]) await visit(window, full(), '#/run/1/feature/40');
    const save = async (window, name) => {
      await window.fill('input[name=name]', name);
      await window.getByRole('button', { name: 'Save' }).click();
    };
    await visit(other, full(), '#/run/1/feature/41');
    await save(page, 'first');
    await page.waitForSelector('h1 .feature-name:has-text("first")');
    await save(other, 'second');
    await other.waitForSelector('h1 .feature-name:has-text("second")');
    await visit(other, full(), '#/run/1/features?show=named&sort=name');
    assert.match(await other.innerText('.gallery'), /first[^]*second/);
    await page.reload();
    await visit(page, full(), '#/run/1/features?show=named&sort=name');
    assert.match(await page.innerText('.gallery'), /first[^]*second/);
  });
});

test('reading names says what was replaced and what was skipped', async () => {
  await with_page(async (page) => {
    await visit(page, full(), '#/run/1/features?sort=number');
    const features = { 3: { name: 'new', note: '' }, 12: { name: 'other', note: '' }, 64: { name: 'beyond', note: '' }, x: { name: 'odd', note: '' }, 5: { name: 'y'.repeat(201), note: '' } };
    const file = { name: 'names.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify({ format: 'orthant.names.1', features })) };
    await page.locator('.names-file input').setInputFiles(file);
    await page.waitForSelector('.names-file [role=status]:has-text("read")');
    const words = await page.innerText('.names-file [role=status]');
    assert.match(words, /^2 names read \(1 replaced another\)\./);
    assert.match(words, /2 skipped, no such feature here: 64, x\./);
    assert.match(words, /1 skipped, longer than 200 \(name\) or 10000 \(note\) characters: 5\./);
    await page.locator('.names-file input').setInputFiles(file);
    await page.waitForSelector('.names-file [role=status]:has-text("2 the same as before")');
  });
});

test('the search understands numbers with and without a word, and closes when it is left', async () => {
  await with_page(async (page) => {
    await visit(page, full(), '#/run/1/features');
    const options = async (text) => {
      await page.fill('#search', text);
      await page.waitForSelector('[role=listbox]:not([hidden])');
      await page.waitForTimeout(100);
      return (await page.locator('[role=option] > span:first-child').allInnerTexts()).map((line) => line.trim());
    };
    const both = ['feature 5 of ncl', 'feature 5 of cl']; // that of the run in view first
    assert.deepEqual(await options('feature 5'), both);
    assert.deepEqual(await options('f5'), both);
    assert.deepEqual(await options('item 5'), ['item 5']);
    assert.deepEqual(await options('#5'), [...both, 'item 5']);
    assert.deepEqual((await options('5')).map((line) => line.split(':')[0]), [...both, 'item 5']);
    assert.deepEqual(await options('round'), ['feature 12 of ncl: round things']);
    assert.deepEqual(await options('star'), ['class star']);
    assert.deepEqual(await options('test/9'), ['item 9: test/9']);
    await page.focus('main a');
    await page.waitForSelector('[role=listbox]', { state: 'hidden' });
    await options('item 5');
    await page.evaluate(() => (location.hash = '#/'));
    await page.waitForSelector('[role=listbox]', { state: 'hidden' });
    await options('item 5');
    await page.click('[role=option]');
    await page.waitForFunction(() => location.hash === '#/run/0/item/5');
    await page.waitForSelector('[role=listbox]', { state: 'hidden' });
  });
});

test('the search finds names of every run, and Enter goes to what was typed last', async () => {
  await with_page(async (page) => {
    await visit(page, full(), '#/');
    await page.fill('#search', 'round');
    await page.waitForSelector('[role=option] .glimpse canvas');
    assert.match(await page.innerText('[role=option]'), /feature 12 of ncl: round things/);
    await page.press('#search', 'Enter');
    await page.waitForFunction(() => location.hash === '#/run/1/feature/12');
    await page.fill('#search', 'feature 3');
    await page.waitForSelector('[role=option]:has-text("feature 3 of ncl")');
    await page.$eval('#search', (field) => { // faster than any answer
      field.value = 'feature 31';
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
      field.form.requestSubmit();
    });
    await page.waitForFunction(() => location.hash.startsWith('#/run/1/feature/3'));
    assert.equal(new URL(page.url()).hash, '#/run/1/feature/31');
  });
});
