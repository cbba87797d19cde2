// Size: 10,000 items x 256 features x two runs in one file, and 60,000 points on the map. Times are printed; the limits
// that are checked are several times what an idle machine needs, because tests run beside other work.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
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

test('a large report paints its overview before it unpacks anything', async (context) => {
  const report = make_report({ items: 10000, features: 256 });
  report.blobs.ballast = randomBytes(9e6).toString('base64'); // photographs pack less well than invented pictures
  const html = report_html(page_file, report);
  const address = files.write('large.html', html);
  const { page, faults, close } = await watched_page(browser, address);
  await page.goto(`${address}#/`);
  await page.waitForSelector('table.measures');
  const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime);
  const shown = await page.evaluate(() => performance.now());
  context.diagnostic(`${(html.length / 1e6).toFixed(1)} MB, first paint ${Math.round(paint)} ms, overview ${Math.round(shown)} ms after the start`);
  assert.ok(paint < 10000);
  const start = Date.now();
  await visit(page, address, '#/run/0/item/9999', '.why');
  context.diagnostic(`an item of the dense run ${Date.now() - start} ms later`);
  assert.deepEqual(faults, []);
  await close();
});

test('60,000 points pan and zoom without stutter', async (context) => {
  const address = files.write('points.html', report_html(page_file, make_report({ items: 60000, features: 4, runs: 1, pictures: false })));
  const { page, faults, close } = await watched_page(browser, address);
  await visit(page, address, '#/map/0', 'canvas.map');
  const frames = await page.evaluate(async () => {
    const canvas = document.querySelector('canvas.map');
    const box = canvas.getBoundingClientRect();
    const times = [];
    for (let step = 0; step < 40; ++step) {
      canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: step < 20 ? -60 : 60, clientX: box.x + 300, clientY: box.y + 200, cancelable: true }));
      await new Promise((done) => requestAnimationFrame(() => {
        const start = performance.now();
        requestAnimationFrame(() => done(times.push(performance.now() - start)));
      }));
    }
    return times.sort((x, y) => x - y);
  });
  context.diagnostic(`frame of 60,000 points: median ${frames[20].toFixed(1)} ms, slowest ${frames[39].toFixed(1)} ms`);
  assert.ok(frames[20] < 150);
  assert.deepEqual(faults, []);
  await close();
});
