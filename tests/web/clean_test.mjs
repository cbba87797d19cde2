// Suspects are walked through by keys, decisions stay, can be undone and come out as CSV and JSON: in a report and live.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { Decisions, rows_of, to_csv } from '../../web/src/clean/decisions.js';
import { launch, page_file, temporary_folder, visit, watched_page } from './browser.mjs';
import { make_report, report_html } from './fixture.mjs';
import { serve } from './fixture_server.mjs';

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

const kHostile = '=HYPERLINK("x"),"<img src=x onerror=alert(1)>"\nline';
const report = () => make_report({ items: 120, ids: (item) => (item === 4 ? kHostile : `test/${item}`) });
/** Waits until so many-th suspect is shown. */
const at = (page, place) => page.waitForFunction((start) => document.querySelector('main .steps .numbers')?.textContent.startsWith(start), `${place} of 5`);
const press = async (page, ...keys) => {
  for (const key of keys) await page.keyboard.press(key);
};

/** Walks through the labels and takes a decision of each sort. */
async function walk(page) {
  await page.waitForSelector('.clean-suspect');
  await at(page, 1);
  assert.match(await page.innerText('.clean-suspect'), /Labelled ring \(2\.0 %\), but cross is 35 times as likely \(70 %\)/);
  assert.equal(await page.locator('.clean-suspect tbody tr').count(), 2);
  await page.waitForSelector('section[aria-label="Nearest items"] .tile');
  await press(page, 'r');
  await at(page, 2);
  await press(page, 'd');
  await at(page, 3);
  await press(page, 'c');
  assert.match(await page.innerText('main .controls'), /3 decisions: 1 kept, 1 relabelled, 1 dropped/);
  await press(page, 'u');
  await at(page, 3);
  assert.match(await page.innerText('main .controls'), /2 decisions: 1 relabelled, 1 dropped/);
  await press(page, 'ArrowLeft', 'k');
  await at(page, 1);
  assert.equal(await page.innerText('.decided'), 'relabelled as cross');
}

async function downloaded(page, button) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(`button:has-text("${button}")`)]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
}

test('in a report, decisions are taken by keys, kept and written', async () => {
  const address = files.write('clean.html', report_html(page_file, report()));
  const { page, faults, close } = await watched_page(browser, address);
  await visit(page, address, '#/clean/1');
  await walk(page);
  const csv = await downloaded(page, 'Download CSV');
  assert.equal(csv.name, 'decisions-ncl.csv');
  assert.equal(csv.text, `kind,item,id,label,decision,new_label\nlabel,4,"'${kHostile.replaceAll('"', '""')}",ring,relabel,cross\nlabel,11,test/11,square,drop,\n`);
  const { text } = await downloaded(page, 'Download JSON');
  const { format, decisions } = JSON.parse(text);
  assert.equal(format, 'orthant.decisions.1');
  assert.deepEqual(decisions[0], { kind: 'label', item: 4, id: kHostile, label: 'ring', decision: 'relabel', new_label: 'cross' });
  await page.reload();
  await page.waitForSelector('.decided');
  assert.match(await page.innerText('main .controls'), /2 decisions/);
  await page.click('.clean-kinds button:has-text("Duplicates")');
  await page.waitForSelector('.clean-pictures a:nth-child(2)');
  assert.match(await page.innerText('.clean-suspect'), /The same as item 19/);
  assert.equal(await page.locator('button:has-text("Relabel")').count(), 0);
  await press(page, 'r'); // means nothing here
  assert.match(await page.innerText('main .controls'), /2 decisions/);
  assert.deepEqual(faults, []);
  await close();
});

test('live, the same', async () => {
  const server = await serve(page_file, report());
  const { page, faults, close } = await watched_page(browser, server.address);
  await visit(page, server.address, '#/clean/1');
  await walk(page);
  assert.deepEqual(faults, []);
  await close();
  server.close();
});

test('what cannot be judged says why', async () => {
  const address = files.write('few.html', report_html(page_file, make_report({ items: 2, features: 2, runs: 1, curves: false })));
  const { page, close } = await watched_page(browser, address);
  await visit(page, address, '#/clean/0');
  await page.waitForSelector('text=Not judged: fewer than three items.');
  await close();
});

test('decisions without a browser that keeps them, and tables', () => {
  const decisions = new Decisions('nowhere');
  decisions.add({ kind: 'label', item: 1, choice: 'relabel', label: 2 });
  decisions.add({ kind: 'label', item: 1, choice: 'keep', label: null });
  decisions.add({ kind: 'duplicate', item: 1, choice: 'drop', label: null });
  assert.equal(decisions.all().length, 2);
  assert.equal(decisions.of({ kind: 'label', item: 1 }).choice, 'keep');
  assert.equal(to_csv(rows_of(decisions.all(), ['a', '-b'], () => 'x,y', String)), 'kind,item,id,label,decision,new_label\nlabel,1,\'-b,"x,y",keep,\nduplicate,1,\'-b,"x,y",drop,\n');
  decisions.undo();
  decisions.undo();
  assert.equal(decisions.of({ kind: 'label', item: 1 }).choice, 'relabel');
});
