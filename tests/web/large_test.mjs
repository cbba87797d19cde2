// Size: 10,000 items x 256 features x two runs in one file, and 60,000 points on the map. How long it takes is
// bench/look.mjs's business.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, page_file, temporary_folder, visit, watched_page } from './browser.mjs';
import { make_report, report_html } from './fixture.mjs';

let browser;
let files;

before(async () => {
  browser = await launch();
  files = temporary_folder();
});

after(async () => {
  await browser?.close();
  files?.remove();
});

test('a large report shows its overview and an item', async () => {
  const address = files.write('large.html', report_html(page_file, make_report({ items: 10000, features: 256 })));
  const { page, faults, close } = await watched_page(browser, address);
  await page.goto(`${address}#/`);
  await page.waitForSelector('table.measures');
  await visit(page, address, '#/run/0/item/9999', '.why');
  const [score, sum] = await page.$eval('.why', (section) => [Number(section.dataset.score), Number(section.dataset.sum)]);
  assert.ok(Math.abs(score - sum) < 1e-9);
  assert.deepEqual(faults, []);
  await close();
});

test('60,000 points are drawn, and another part of them after zooming', async () => {
  const address = files.write('points.html', report_html(page_file, make_report({ items: 60000, features: 4, runs: 1, pictures: false })));
  const { page, faults, close } = await watched_page(browser, address);
  await visit(page, address, '#/map/0', 'canvas.map');
  const [empty, before, after] = await page.evaluate(async () => {
    const canvas = document.querySelector('canvas.map');
    const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const drawn = () => canvas.toDataURL();
    const empty = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height }).toDataURL();
    await frame();
    const first = drawn();
    const box = canvas.getBoundingClientRect();
    canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: -300, clientX: box.x + 300, clientY: box.y + 200, cancelable: true }));
    await frame();
    return [empty, first, drawn()];
  });
  assert.notEqual(before, empty);
  assert.notEqual(before, after);
  assert.deepEqual(faults, []);
  await close();
});
