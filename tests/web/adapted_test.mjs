// Runs on vectors that others made: what their features keep, and how alike the items of each are.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from './browser.mjs';
import { audit, low_contrast, overflow } from './checks.mjs';
import { with_page, write_report } from './full_report.mjs';

const options = { items: 400, features: 32, runs: 1, adapted: true };

test('the overview says what it is and what the features keep, beside chance', async () => {
  const address = write_report('adapted.html', options);
  for (const [width, colorScheme] of [[1280, 'light'], [375, 'dark']]) {
    await with_page(async (page) => {
      await visit(page, address, '#/');
      assert.match(await page.innerText('.run-list'), /a top-k autoencoder on given vectors/);
      const rows = await page.$$eval('table.kept tr', (found) => found.map((row) => [...row.cells].map((cell) => cell.querySelector('button')?.textContent ?? cell.textContent)));
      assert.deepEqual(rows[0], ['Features on per item', 'explained', '1-NN', '20-NN', 'precision of 10', 'kept of the 10 nearest', 'dead']);
      assert.deepEqual(rows[1], ['the vectors, 512 numbers', '–', '80.0 %', '75.0 %', '60.0 %', '–', '–']);
      assert.deepEqual(rows[3], ['32 on', '62.5 %', '76.3 %', '75.0 %', '60.0 %', '62.5 %', '2.0 %']);
      assert.deepEqual(rows[4], ['by chance', '–', '10.0 %', '11.0 %', '10.0 %', '1.1 %', '–']);
      assert.match(await page.innerText('table.measures'), /Two items of one feature are alike by 0.65, any two items by 0.50/);
      assert.deepEqual(await page.evaluate(audit), []);
      assert.deepEqual(await page.evaluate(low_contrast), []);
      assert.equal(await page.evaluate(overflow), 0, `at ${width}`);
    }, { viewport: { width, height: 800 }, colorScheme }, address);
  }
});

test('features come by how alike their items are, if that is known', async () => {
  const address = write_report('adapted.html', options);
  await with_page(async (page) => {
    await visit(page, address, '#/run/0/features?sort=monosemanticity');
    assert.match(await page.innerText('.feature-card'), /alike\s+0.90/);
    await visit(page, address, '#/run/0/feature/16');
    assert.match(await page.innerText('.facts.big'), /Monosemanticity\s+0.65\s+any two items 0.50/);
  }, {}, address);
  const other = write_report('other.html', { ...options, adapted: false });
  await with_page(async (page) => {
    await visit(page, other, '#/run/0/features');
    assert.equal(await page.locator('option[value=monosemanticity]').count(), 0);
    await visit(page, other, '#/');
    assert.equal(await page.locator('table.kept').count(), 0);
  }, {}, other);
});
