// Supervised runs: what is taken for what, which features carry a class, and why an item is taken for something.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LinearReadOut } from '../../web/src/source/read_out.js';
import { page_file, visit } from './browser.mjs';
import { audit, low_contrast, overflow } from './checks.mjs';
import { make_report } from './fixture.mjs';
import { serve } from './fixture_server.mjs';
import { with_page, write_report } from './full_report.mjs';

const options = { items: 400, features: 32, supervised: true };

test('a prediction by hand: scores, the runner-up, parts that add up', () => {
  const weights = Buffer.from(Float32Array.of(2, 1, -3, 9, 0, 1, 0, 0, 5, 5, 5, 5).buffer).toString('base64');
  const linear = new LinearReadOut({ weights, bias: [0.5, 0.25, null] });
  const found = linear.predict([{ feature: 0, value: 1 }, { feature: 1, value: 3 }, { feature: 2, value: 1 }]);
  assert.equal(found.class, 1);
  assert.equal(found.score, 3.25);
  assert.deepEqual(found.runner_up, { class: 0, score: 2.5 });
  assert.deepEqual(found.parts, [{ feature: 1, activation: 3, weight: 1, value: 3 }]);
  assert.deepEqual(found.others, { features: 0, value: 0 });
});

test('the overview tells accuracy, confusion and what carries a class, at every width and in both colours', async () => {
  const address = write_report('supervised.html', options);
  for (const [width, colorScheme] of [[1280, 'light'], [1280, 'dark'], [375, 'dark']]) {
    await with_page(async (page) => {
      for (const hash of ['#/', '#/?carried1=4', '#/?carried1=999', '#/run/1/item/7']) {
        await visit(page, address, hash);
        assert.deepEqual(await page.evaluate(audit), [], hash);
        assert.deepEqual(await page.evaluate(low_contrast), [], hash);
        assert.equal(await page.evaluate(overflow), 0, `${hash} at ${width}`);
      }
    }, { viewport: { width, height: 800 }, colorScheme }, address);
  }
});

test('counts, accuracy and parts are those of the run', async () => {
  const report = make_report(options);
  const { classifier } = report.overview.runs[1];
  const address = write_report('supervised-run.html', options);
  await with_page(async (page) => {
    await visit(page, address, '#/?carried1=3');
    const card = page.locator('.read-outs .card').nth(1);
    assert.match(await card.innerText(), new RegExp(`${(classifier.accuracy * 100).toFixed(1)} % of ${classifier.judged} items are told right; always naming the most frequent class would be right for`));
    const cell = card.locator('.confusion tbody tr').nth(3).locator('td').nth(3);
    const total = classifier.counts[3].reduce((sum, count) => sum + count, 0);
    assert.match(await cell.getAttribute('title'), new RegExp(`^${classifier.counts[3][3]} of ${total} star: taken for star`));
    const table = card.locator('.carried table');
    const [score, sum] = [await table.getAttribute('data-score'), await table.getAttribute('data-sum')].map(Number);
    assert.ok(Math.abs(score - sum) < 1e-9);
    assert.ok(Math.abs(score - classifier.carried[3].score) < 1e-12);
    await table.locator('.feature-link').first().click();
    await page.waitForFunction((feature) => location.hash.startsWith(`#/run/1/feature/${feature}`), classifier.carried[3].parts[0].feature);
    await page.goBack();
    await card.locator('select').selectOption('5');
    await page.waitForFunction(() => location.hash.includes('carried1=5'));
    assert.match(await card.locator('.carried').innerText(), /score of cross, on average over its \d+ items/);
  }, {}, address);
});

test('an item says what it is taken for and why, from disk and from a server', async () => {
  const address = write_report('supervised-item.html', options);
  const server = await serve(page_file, make_report(options));
  try {
    for (const base of [address, server.address]) {
      await with_page(async (page) => {
        await visit(page, base, '#/run/1/item/7', '.prediction');
        assert.match(await page.innerText('.prediction h2'), /^Taken for \w+, which is (right|wrong: it is moon)/);
        const [score, sum] = await page.$eval('.prediction table', (table) => [Number(table.dataset.score), Number(table.dataset.sum)]);
        assert.ok(Math.abs(score - sum) < 1e-9);
      }, {}, base);
    }
  } finally {
    server.close();
  }
});

test('many classes are a picture, too many a list', async () => {
  const classes = Array.from({ length: 40 }, (_, at) => `kind ${at}`);
  const address = write_report('supervised-many.html', { ...options, classes });
  await with_page(async (page) => {
    await visit(page, address, '#/');
    assert.equal(await page.locator('.read-outs .card').first().locator('.confusion.narrow tbody td').count(), 1600);
    assert.equal(await page.evaluate(overflow), 0);
  }, {}, address);
});
