// Questions in words, against a server that speaks the contract.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, page_file, visit, watched_page } from './browser.mjs';
import { audit, low_contrast, overflow } from './checks.mjs';
import { make_report } from './fixture.mjs';
import { serve } from './fixture_server.mjs';

const options = { items: 400, features: 32, texts: (item) => [`caption ${item}`], queries: ['picture', 'text'] };
const kAddress = (text) => `#/ask?${new URLSearchParams({ text })}`;

let browser;
let server;

before(async () => {
  browser = await launch();
  server = await serve(page_file, make_report(options));
});

after(async () => {
  await browser?.close();
  server?.close();
});

async function with_page(body, look = {}) {
  const { page, faults, close } = await watched_page(browser, server.address, look);
  try {
    await body(page, faults);
  } finally {
    await close();
  }
}

test('a question typed on the overview finds items, with why', async () => {
  await with_page(async (page, faults) => {
    await visit(page, server.address, '#/');
    await page.fill('.ask input', 'like item 21');
    await page.press('.ask input', 'Enter');
    await page.waitForFunction(() => document.querySelectorAll('.seen-by .why').length === 2);
    assert.equal(await page.evaluate(() => location.hash), kAddress('like item 21'));
    assert.equal(await page.inputValue('.ask input'), 'like item 21');
    const sums = await page.$$eval('.seen-by .why', (found) => found.map(({ dataset }) => [Number(dataset.score), Number(dataset.sum)]));
    for (const [score, sum] of sums) assert.ok(Math.abs(score - sum) < 1e-9);
    assert.match(await page.locator('.why .asked').first().innerText(), /like item 21/);
    const second = page.locator('.seen-by').last();
    assert.match(await second.locator('h2').nth(1).innerText(), /What fits best/);
    const tile = second.locator('.tile').nth(3);
    const score = Number(await tile.locator('.caption').innerText());
    await tile.click();
    await page.waitForFunction((wanted) => Math.abs(Number([...document.querySelectorAll('.why')].at(-1)?.dataset.score) - wanted) < 6e-4, score);
    assert.deepEqual(await page.evaluate(audit), []);
    assert.deepEqual(faults, []);
  });
});

test('the address of a question can be sent, and fits a phone in the dark', async () => {
  await with_page(async (page, faults) => {
    await visit(page, server.address, kAddress('item 3'), '.why');
    assert.equal(await page.evaluate(overflow), 0);
    assert.deepEqual(await page.evaluate(low_contrast), []);
    assert.deepEqual(await page.evaluate(audit), []);
    assert.deepEqual(faults, []);
  }, { viewport: { width: 375, height: 720 }, colorScheme: 'dark' });
});

test('nothing is asked without words, and a refusal is told in the server\'s words', async () => {
  await with_page(async (page) => {
    await visit(page, server.address, '#/ask');
    assert.equal(await page.locator('.ask button').isDisabled(), true);
    await page.fill('.ask input', '   ');
    assert.equal(await page.locator('.ask button').isDisabled(), true);
    assert.match(await page.innerText('main'), /Nothing asked yet/);
    await page.fill('.ask input', 'gibberish');
    await page.press('.ask input', 'Enter');
    await page.waitForSelector('.failed:has-text("expected words, got gibberish")');
  });
});

test('hostile questions are text', async () => {
  for (const text of ['</script><script>window.broken=1</script>', '<img src=x onerror="window.broken=1">', 'x'.repeat(1000), '👾'.repeat(400), '%E0%A4%A &text=2#3']) {
    await with_page(async (page, faults) => {
      await visit(page, server.address, kAddress(text), '.why');
      assert.equal(await page.evaluate(() => window.broken), undefined);
      assert.equal(await page.inputValue('.ask input'), text);
      assert.equal(await page.evaluate(overflow), 0);
      assert.equal(await page.locator('main script, main img').count(), 0);
      assert.deepEqual(faults, []);
    });
  }
});

test('without a model of texts there is no such box', async () => {
  const bare = await serve(page_file, make_report({ items: 60, features: 16 }));
  try {
    await with_page(async (page) => {
      for (const hash of ['#/', '#/run/0/items', '#/ask']) {
        await visit(page, bare.address, hash);
        assert.equal(await page.locator('.ask').count(), 0);
      }
      assert.match(await page.innerText('main'), /no model of texts here/);
      assert.doesNotMatch(await page.innerText('header'), /Ask/);
    });
  } finally {
    bare.close();
  }
});
