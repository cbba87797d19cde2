// How fast the page is in headless Chromium:
//   ORTHANT_PAGE_DIR=BUILD/web node bench/look.mjs REPORT.html
// First paint and readiness of a report on disk, medians of five starts of a fresh page; then frames of a map with
// 60,000 invented points while it zooms.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launch, page_file, temporary_folder, visit, watched_page } from '../tests/web/browser.mjs';
import { make_report, report_html } from '../tests/web/fixture.mjs';

const kStarts = 5;
const median = (values) => [...values].sort((x, y) => x - y)[Math.floor(values.length / 2)];
const address = pathToFileURL(resolve(process.argv[2])).href;
const browser = await launch();
const files = temporary_folder();

const times = { 'first paint': [], overview: [], 'an item with its explanation': [] };
for (let start = 0; start < kStarts; ++start) {
  const { page, close } = await watched_page(browser, address);
  await page.goto(`${address}#/`);
  await page.waitForSelector('table.measures');
  times.overview.push(await page.evaluate(() => performance.now()));
  times['first paint'].push(await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime));
  const clock = performance.now();
  await visit(page, address, '#/run/0/item/99', '.why');
  times['an item with its explanation'].push(performance.now() - clock);
  await close();
}
for (const [name, values] of Object.entries(times)) console.log(`  ${name.padEnd(32)} ${median(values).toFixed(0).padStart(6)} ms`);

const points = files.write('points.html', report_html(page_file, make_report({ items: 60000, features: 4, runs: 1, pictures: false })));
const { page } = await watched_page(browser, points);
await visit(page, points, '#/map/0', 'canvas.map');
const frames = await page.evaluate(async () => {
  const canvas = document.querySelector('canvas.map');
  const box = canvas.getBoundingClientRect();
  const spent = [];
  for (let step = 0; step < 60; ++step) {
    canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: step < 30 ? -60 : 60, clientX: box.x + 300, clientY: box.y + 200, cancelable: true }));
    await new Promise((done) => requestAnimationFrame(() => {
      const begin = performance.now();
      requestAnimationFrame(() => done(spent.push(performance.now() - begin)));
    }));
  }
  return spent;
});
console.log(`  ${'a frame of 60,000 points'.padEnd(32)} ${median(frames).toFixed(0).padStart(6)} ms, the slowest ${Math.max(...frames).toFixed(0)} ms`);
await browser.close();
files.remove();
