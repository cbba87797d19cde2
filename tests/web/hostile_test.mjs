// Strings that try to break out: in class names, ids, names, notes, run names, recipes and addresses.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, page_file, temporary_folder, visit, watched_page } from './browser.mjs';
import { audit, overflow } from './checks.mjs';
import { make_report, report_html } from './fixture.mjs';

const kHostile = [
  '</script><script>window.broken=1</script>',
  '<img src=x onerror="window.broken=1">',
  '"\'`${window.broken=1}{{7*7}}',
  '<!--<script>',
  '👩‍🔬🦔 né\u0301e \u202eabc\u2066',
  'x'.repeat(10000),
  '👾'.repeat(5000),
  '__proto__',
  'javascript:window.broken=1',
  '\u0000\u0007\n\r\t]]>',
];

let browser;
let files;
let address;

before(async () => {
  browser = await launch();
  files = temporary_folder();
  const features = Object.fromEntries(kHostile.map((name, at) => [at, { name, note: name }]));
  const report = make_report({ items: 200, features: 32, supervised: true, classes: kHostile, ids: (item) => kHostile[item % kHostile.length] + item, names: { 0: { features }, 1: { features } }, run_names: [kHostile[0], kHostile[5]], texts: (item) => [kHostile[item % kHostile.length], kHostile[(item + 3) % kHostile.length]], words: (feature) => [kHostile[feature % kHostile.length], kHostile[(feature + 1) % kHostile.length]] });
  report.overview.runs[0].recipe.push([kHostile[1], kHostile[0], kHostile[5], kHostile[2]]);
  report.overview.data.spec = `folder:${kHostile[0]}`;
  report.overview.data.split = kHostile[6];
  const html = report_html(page_file, report);
  assert.equal(html.split('</script>').length, 3, 'the data ends no script element');
  address = files.write('hostile.html', html);
});

after(async () => {
  await browser?.close();
  files?.remove();
});

test('hostile strings are shown as text and do no harm', async () => {
  for (const width of [1280, 375]) {
    const { page, faults, close } = await watched_page(browser, address, { viewport: { width, height: 760 } });
    const views = ['#/', '#/run/0/features?sort=label', '#/run/1/features?show=named&sort=name', '#/run/0/items', '#/compare/0/1', '#/map/1', '#/map/1?colour=feature:3'];
    for (let at = 0; at < kHostile.length; ++at) {
      const quoted = `"${kHostile[at].replace(/["\\]/g, '\\$&')}"`;
      const query = (values) => new URLSearchParams(values).toString();
      views.push(`#/run/${at % 2}/feature/${at}`, `#/run/${at % 2}/item/${at}`, `#/run/${at % 2}/class/${at}`);
      if (kHostile[at].length > 2000) continue; // as long as an address may be
      views.push(`#/run/1/items?${query({ filter: `${quoted} or class=${quoted} or id~${quoted}` })}`, `#/run/1/selection?${query({ filter: kHostile[at] })}`);
      views.push(`#/run/1/rank?${query({ weights: `${quoted}:1` })}`, `#/run/0/item/3?${query({ set: `${quoted}:0` })}`);
    }
    views.push('#/run/0/classes', '#/run/1/selection');
    for (const hash of views) {
      await visit(page, address, hash);
      assert.equal(await page.evaluate(() => window.broken), undefined, hash);
      assert.equal(await page.evaluate(overflow), 0, `${hash} at ${width}`);
      assert.deepEqual(await page.evaluate(audit), [], hash);
      assert.equal(await page.locator('main script, main img').count(), 0);
    }
    await visit(page, address, '#/run/0/feature/1');
    assert.match(await page.innerText('h1'), /<img src=x onerror/);
    assert.deepEqual(faults, []);
    await close();
  }
});

test('a hostile name can be given, kept and exported', async () => {
  const { page, faults, close } = await watched_page(browser, address);
  await visit(page, address, '#/run/0/feature/20');
  await page.fill('input[name=name]', kHostile[0]);
  await page.fill('textarea[name=note]', kHostile[5]);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForFunction((text) => document.querySelector('h1').textContent.includes(text), kHostile[0]);
  await page.reload();
  await page.waitForFunction((text) => document.querySelector('h1')?.textContent.includes(text), kHostile[0]);
  assert.equal(await page.inputValue('textarea[name=note]'), kHostile[5]);
  assert.equal(await page.evaluate(() => window.broken), undefined);
  assert.deepEqual(faults, []);
  await close();
});

test('hostile addresses lead to "not found", never to an error', async () => {
  const { page, faults, close } = await watched_page(browser, address);
  for (const hash of ['#/run/99/features', '#/run/-1/features', '#/run/0/feature/1e9', '#/run/0/feature/%3Cscript%3E', '#/%E0%A4%A', '#/run/0/constructor/0', '#/compare/0/99', '#/run/0/feature/', '#/map/__proto__', '#//////', '#javascript:alert(1)']) {
    await page.goto('about:blank');
    await page.goto(address + hash);
    await page.waitForSelector('main h1');
    assert.deepEqual(await page.evaluate(audit), [], hash);
  }
  for (const hash of ['#/run/0/items?page=1e99&class=<x>', '#/run/0/features?sort=__proto__&show=constructor&page=-5', '#/map/0?layout=../../x&colour=feature:999999', '#/run/0/item/0?with=999999999', '#/run/0/items?filter=((((', '#/map/0?filter=__proto__>1', '#/run/0/rank?weights=f0:1e99', '#/run/0/rank?weights=f0&with=99999', '#/run/0/item/0?set=f0:,', '#/run/0/selection?filter=id~%00', '#/run/0/class/99', '#/run/0/item/5?with=5']) {
    await page.goto('about:blank');
    await page.goto(address + hash);
    await page.waitForSelector('main h1, main .failed');
    await page.waitForFunction(() => !document.querySelector('main .loading'));
    assert.equal(await page.evaluate(() => document.body.innerText.includes('undefined') || document.body.innerText.includes('NaN')), false, hash);
  }
  assert.deepEqual(faults, []);
  await close();
});

test('damaged data gives a clear line', async () => {
  const report = make_report({ items: 20, features: 8, classes: ['a', 'b'] });
  report.blobs['r1.values'] = report.blobs['r1.indptr'];
  report.blobs['r0.features'] = 'AAAA';
  delete report.blobs['r1.map.pca'];
  const damaged = files.write('damaged.html', report_html(page_file, report));
  const { page, close } = await watched_page(browser, damaged);
  for (const hash of ['#/run/1/items', '#/run/0/features', '#/map/1?layout=pca']) {
    await visit(page, damaged, hash, 'main .failed');
    assert.match(await page.innerText('main .failed'), /Cannot show .+\. .+/s);
  }
  await close();
});
