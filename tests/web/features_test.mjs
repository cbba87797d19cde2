// Features and their matches: both signs of them, and what they stand for wherever they are named.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from './browser.mjs';
import { full, with_page } from './full_report.mjs';

test('a comparison keeps its signs: opposites are marked and shown by the side that matches', async () => {
  await with_page(async (page) => {
    await visit(page, full(), '#/compare/0/1?sort=opposite');
    const first = page.locator('.pairs li').first();
    assert.match(await first.locator('.match').innerText(), /-0\.9\d+\s+match\s+opposite/);
    assert.match(await first.locator('.feature-card').first().innerText(), /− side/);
    assert.doesNotMatch(await first.locator('.feature-card').last().innerText(), /− side/);
    const summary = await page.innerText('.summary');
    const matches = Array.from({ length: 60 }, (_, at) => 0.95 - at / 64);
    const mean = matches.reduce((sum, match) => sum + match, 0) / 60;
    assert.match(summary, new RegExp(`60 pairs, mean match ${mean.toFixed(2)} without sign; 14 of them are opposites`));
    const same = matches.filter((match) => match >= 0.8).length;
    assert.match(summary, new RegExp(`^${same} of 60 pairs are nearly the same feature in both runs: a match of 0.8 or more\\.`));
    assert.match(summary, /cl: of 64 features, 4 without a partner\./);
    assert.match(summary, /ncl: of 64 features, 4 dead \(never fire\)\./);
    await visit(page, full(), '#/compare/0/1?sort=worst');
    const weak = await page.locator('.pairs .match').allInnerTexts();
    assert.ok(weak.some((text) => /^-0\.0\d+\s+match$/.test(text.trim())), 'next to nothing is no opposite');
    await visit(page, full(), '#/compare/1/0');
    assert.match(await page.innerText('.summary'), /ncl: of 64 features, 4 dead/);
  });
});

test('a feature with two signs shows both of its sides, everywhere', async () => {
  await with_page(async (page) => {
    await visit(page, full(), '#/run/0/feature/3');
    const [positive, negative] = [page.locator('.strongest.positive'), page.locator('.strongest.negative')];
    assert.equal(await positive.locator('.tile').count(), 24);
    assert.equal(await negative.locator('.tile').count(), 24);
    const captions = await negative.locator('.caption').allInnerTexts();
    assert.ok(captions.every((text) => Number(text) < 0), captions.join(' '));
    assert.match(await negative.innerText(), /% of the items are on this side; the commonest class among them is \w+ \(\d+ %\)/);
    assert.match(await page.innerText('#classes ~ table thead'), /Share of the \+ side\s+Share of the − side/);
    assert.match(await page.innerText('[aria-labelledby=cofiring]'), /nearly every item/);
    assert.doesNotMatch(await page.innerText('[aria-labelledby=strengths]'), /Silent on/);
    await visit(page, full(), '#/run/0/features?sort=number');
    assert.equal(await page.locator('.feature-card').first().locator('.card-side').count(), 2);
    assert.match(await page.locator('.feature-card').first().locator('.facts').innerText(), /consistency\s+\d+ % \(\+\), \d+ % \(−\)/);
    await visit(page, full(), '#/run/1/features?sort=number');
    assert.equal(await page.locator('.feature-card').first().locator('.card-side').count(), 1);
    await visit(page, full(), '#/run/1/feature/12');
    assert.doesNotMatch(await page.innerText('main'), /− side/);
  });
});

test('the map has one colour for each sign of a feature', async () => {
  const colours = (page) =>
    page.$eval('canvas.map', (canvas) => {
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      let [blue, red] = [0, 0];
      for (let at = 0; at < data.length; at += 4) if (data[at + 3]) [blue, red] = [blue + (data[at + 2] > data[at] + 40), red + (data[at] > data[at + 2] + 40)];
      return { blue, red };
    });
  await with_page(async (page) => {
    await visit(page, full(), '#/map/0?colour=feature:3', 'canvas.map');
    const signed = await colours(page);
    assert.ok(signed.blue > 100 && signed.red > 100, JSON.stringify(signed));
    assert.match(await page.innerText('.map-scale'), /^-\d/);
    await visit(page, full(), '#/map/1?colour=feature:3', 'canvas.map');
    const positive = await colours(page);
    assert.ok(positive.blue > 100 && positive.red === 0, JSON.stringify(positive));
  }, { colorScheme: 'light' });
});

test('wherever a feature is named, its strongest samples and its main class are beside it', async () => {
  const glimpse = async (page, place) => {
    const found = page.locator(place).first();
    await found.locator('.glimpse').first().waitFor();
    return { pictures: await found.locator('.glimpse').first().locator('canvas').count(), words: (await found.locator('.glimpse-words').first().innerText()).trim() };
  };
  const places = {
    '#/run/1/item/5': ['.firing tbody tr', '.parts tbody tr'],
    '#/run/1/feature/12': ['[aria-labelledby=similar] tbody tr', '[aria-labelledby=cofiring] tbody tr'],
    '#/run/1/feature/21': ['main > p'], // a duplicate
    '#/map/1?colour=feature:12': ['.legend'],
  };
  await with_page(async (page) => {
    for (const [hash, list] of Object.entries(places)) {
      await visit(page, full(), hash);
      for (const place of list) {
        const { pictures, words } = await glimpse(page, place);
        assert.ok(pictures >= 3 && pictures <= 5, `${hash} ${place}: ${pictures}`);
        assert.match(words, /^\w+ \d+ %$/, `${hash} ${place}`);
      }
    }
    await visit(page, full(), '#/run/1/item/5');
    const first = await page.$eval('.firing tbody tr', (row) => ({ feature: Number(row.querySelector('.feature-number').textContent), items: [...row.querySelectorAll('canvas')].map((canvas) => Number(canvas.dataset.item)) }));
    await visit(page, full(), `#/run/1/feature/${first.feature}`);
    assert.deepEqual(await page.$$eval('.strongest canvas', (found) => found.slice(0, 4).map((canvas) => Number(canvas.dataset.item))), first.items);
    await visit(page, full(), '#/run/0/item/5');
    const signs = await page.$$eval('.firing tbody tr', (rows) => rows.map((row) => [row.querySelector('td .numbers').textContent.startsWith('-'), row.querySelector('.glimpse-side')?.textContent.trim()]));
    assert.ok(signs.some(([negative]) => negative) && signs.some(([negative]) => !negative));
    for (const [negative, side] of signs) assert.equal(side, negative ? '− side' : '+ side');
    await page.fill('#search', '12');
    await page.waitForSelector('[role=option] .glimpse canvas');
    await visit(page, full(), '#/');
    await page.hover('.heat-map canvas');
    await page.waitForSelector('.heat-map .glimpse canvas');
  });
});
