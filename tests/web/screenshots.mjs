// Pictures of every view, for the documentation and to look at:
//   ORTHANT_PAGE_DIR=build/web node tests/web/screenshots.mjs OUTPUT_FOLDER [REPORT.html [FEATURE ITEM [CHANGED X,Y,ZOOM]]]
// Without a report, one of invented data is made. The last run of the report is shown.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launch, page_file, temporary_folder, visit, watched_page } from './browser.mjs';
import { make_report, report_html } from './fixture.mjs';

const kTaller = { item: 1000, map: 900, 'map-filter': 1100, 'map-pictures': 900, selection: 1200, rank: 1300, classes: 1000, class: 1200, 'what-if': 2600 }; // pixels, to show all of it

const [output = 'screenshots', given, feature = '12', item = '5', changed = feature, places = '0.3,0.3,12'] = process.argv.slice(2);
const files = temporary_folder();
const names = { 1: { features: { 12: { name: 'round, pink', note: 'weak ones are squares too' }, 5: { name: 'purple squares', note: '' } } } };
const address = given ? pathToFileURL(resolve(given)).href : files.write('report.html', report_html(page_file, make_report({ names })));
mkdirSync(output, { recursive: true });

const browser = await launch();
const looks = [
  ['', { colorScheme: 'light', viewport: { width: 1180, height: 760 } }],
  ['-dark', { colorScheme: 'dark', viewport: { width: 1180, height: 760 } }],
  ['-phone', { colorScheme: 'light', viewport: { width: 375, height: 720 } }],
];
for (const [look, options] of looks) {
  const { page, close } = await watched_page(browser, address, options);
  await visit(page, address, '#/');
  const last = (await page.locator('.run-list li').count()) - 1;
  const views = {
    overview: '#/',
    features: `#/run/${last}/features`,
    feature: `#/run/${last}/feature/${feature}`,
    items: `#/run/${last}/items`,
    item: `#/run/${last}/item/${item}`,
    compare: `#/compare/0/${last}`,
    map: `#/map/${last}`,
    'map-filter': `#/map/${last}?filter=f${feature}`,
    'map-pictures': `#/map/${last}?view=${places}`,
    filter: `#/run/${last}/items?filter=f${feature}`,
    selection: `#/run/${last}/selection?filter=f${feature}`,
    rank: `#/run/${last}/rank?weights=f${feature}:1`,
    classes: `#/run/${last}/classes`,
    class: `#/run/${last}/class/0`,
    'what-if': `#/run/${last}/item/${item}?set=f${changed}:0`,
  };
  for (const [name, hash] of Object.entries(views)) {
    await page.setViewportSize({ ...options.viewport, height: kTaller[name] ?? options.viewport.height });
    await visit(page, address, hash);
    await page.waitForTimeout(500);
    await page.screenshot({ path: join(output, `look-${name}${look}.png`) });
  }
  await close();
}
await browser.close();
files.remove();
