// A real browser for the tests: Debian's Chromium through playwright-core, watched for errors and for requests that
// leave the page.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const kSkipped = 77;
const kPatience = 60000;

function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(kSkipped);
}

export const page_dir = process.env.ORTHANT_PAGE_DIR ?? skip('ORTHANT_PAGE_DIR, the folder with the built page, is not set');
export const page_file = join(page_dir, 'dist/page.html');

const executable = [process.env.ORTHANT_CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => path && existsSync(path),
);

export async function launch() {
  if (!executable) skip('no Chromium here; scripts/setup.sh test installs it');
  let chromium = null;
  try {
    ({ chromium } = createRequire(join(page_dir, 'package.json'))('playwright-core'));
  } catch {
    skip('playwright-core is not installed in the build tree');
  }
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: executable, args, timeout: kPatience });
}

/** A folder for reports that is gone afterwards. */
export function temporary_folder() {
  const folder = mkdtempSync(join(tmpdir(), 'orthant-page-'));
  return {
    folder,
    write: (name, text) => {
      writeFileSync(join(folder, name), text);
      return pathToFileURL(join(folder, name)).href;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * A page that remembers what should not happen: console errors, exceptions, and requests to other than `own` (the file
 * itself, or the server), data and blob addresses apart.
 */
export async function watched_page(browser, own, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
  context.setDefaultTimeout(kPatience);
  const page = await context.newPage();
  const faults = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && faults.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => faults.push(`exception: ${error.message}`));
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  context.on('request', (request) => {
    const url = request.url();
    if (!/^(data|blob|about):/.test(url) && !url.startsWith(own)) faults.push(`request: ${url}`);
  });
  return { page, faults, close: () => context.close() };
}

/** Goes to a view by its address and waits until it shows something final. */
export async function visit(page, base, hash, ready = 'main h1') {
  const here = page.url().split('#')[0];
  if (here === base) await page.evaluate((to) => (location.hash = to), hash);
  else await page.goto(base + hash);
  await page.waitForFunction((to) => location.hash === to, hash);
  await page.waitForSelector(ready);
  await page.waitForFunction(() => !document.querySelector('main .loading'));
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** The pixels of a painted picture, row by row, RGB. */
export async function picture_pixels(page, selector) {
  await page.waitForSelector(`${selector}.shown`);
  return page.$eval(selector, (canvas) => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return { width: canvas.width, height: canvas.height, rgb: Array.from(data).filter((_, at) => at % 4 !== 3) };
  });
}
