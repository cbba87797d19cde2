// The report of invented data that most tests of the page look at, opened from disk.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { launch, page_file, temporary_folder, watched_page } from './browser.mjs';
import { make_report, report_html } from './fixture.mjs';

const proposed = (name, score) => ({ name: '', note: '', proposed: { name, score, chance: 1, from: 'captions.txt' } });
const kNames = {
  1: {
    features: {
      12: { name: 'round things', note: 'mostly circles' },
      50: proposed('wheelbarrow', 3),
      51: proposed('zebra', 2.5),
      52: proposed('yak', 1.1),
      53: proposed('gnu', 0.9), // no better than random items
    },
  },
};

let browser;
let files;
let address;

before(async () => {
  browser = await launch();
  files = temporary_folder();
  address = files.write('full.html', report_html(page_file, make_report({ names: kNames })));
});

after(async () => {
  await browser?.close();
  files?.remove();
});

/** The address of the report: two runs (a dense one of both signs, a sparse one) with labels, pictures and one name. */
export const full = () => address;

/** Another report for one test. @returns {string} its address */
export const write_report = (name, options) => files.write(name, report_html(page_file, make_report(options)));

/** A page whose faults the test judges itself. */
export const open_page = (options) => watched_page(browser, address, options);

/** A page for one test, in which nothing may go wrong unseen. */
export async function with_page(body, options, own = address) {
  const { page, faults, close } = await watched_page(browser, own, options);
  try {
    await body(page);
    assert.deepEqual(faults, []);
  } finally {
    await close();
  }
}
