// Where in a picture features fire: the colours by hand, and the page with a server and in a report.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { between, box_on_tile, largest_part, tint } from '../../web/src/heat.js';
import { kept_where, read_where } from '../../web/src/source/where.js';
import { heard_words, hz_ticks, hz_words, time_ticks } from '../../web/src/sound_axes.js';
import { launch, page_file, picture_pixels, temporary_folder, visit, watched_page } from './browser.mjs';
import { audit, low_contrast, overflow } from './checks.mjs';
import { make_report, report_html, sound_of_map } from './fixture.mjs';
import { serve } from './fixture_server.mjs';

let browser;
let server;
const place = temporary_folder();

before(async () => {
  browser = await launch();
  server = await serve(page_file, make_report({ items: 200, features: 32 }));
});

after(async () => {
  await browser?.close();
  server?.close();
  place.remove();
});

test('between the middles of cells a map is linear, beyond them it stays', () => {
  const parts = Float32Array.of(0, 2, 4, 6);
  assert.equal(between(parts, 2, 2, 0.5, 0.5), 3);
  assert.equal(between(parts, 2, 2, -1, 0.25), 0.5);
  assert.equal(between(parts, 2, 2, 9, 9), 6);
  assert.equal(largest_part(Float32Array.of(1, -5)), 5);
});

test('what adds is red, what takes is blue, what the network did not see is dark', () => {
  const pixels = new Uint8ClampedArray(4 * 4).fill(100);
  tint(pixels, 4, 1, [1, 2], [0, 0, 1, 1], Float32Array.of(1, -1));
  assert.ok(pixels[0] > 180 && pixels[2] < 60, String(pixels.slice(0, 4)));
  assert.ok(pixels[12] < 60 && pixels[14] > 180, String(pixels.slice(12)));
  const cut = new Uint8ClampedArray(4 * 4).fill(100);
  tint(cut, 4, 1, [1, 1], [0.25, 0, 0.5, 1], Float32Array.of(0));
  assert.deepEqual([cut[0], cut[4], cut[8], cut[12]], [40, 100, 100, 40]);
});

test('a picture that is centred on its tile has its box there', () => {
  const where = { box: [0.25, 0, 0.5, 1], picture: [64, 32] };
  assert.deepEqual(box_on_tile(where, 64, 64, true), [0.25, 0.25, 0.5, 0.5]);
  assert.deepEqual(box_on_tile(where, 128, 128, false), [0.375, 0.375, 0.25, 0.25]);
  assert.deepEqual(box_on_tile({ box: [0, 0, 1, 1], picture: null }, 9, 9, true), [0, 0, 1, 1]);
});

test('maps are read as they are sent and as a report keeps them', () => {
  const sent = { method: 'additive', grid: [1, 2], box: [0, 0, 1, 1], picture: null, maps: [{ feature: 3, value: 1, rest: 0, parts: Buffer.from(Float32Array.of(0.5, -2).buffer).toString('base64') }], match: null };
  assert.deepEqual([...read_where(sent).maps[0].parts], [0.5, -2]);
  const kept = { method: 'additive', grid: [1, 2], features: { 3: [{ item: 7, value: 1, rest: 0, box: [0, 0, 1, 1], picture: [8, 8], largest: 2, parts: Buffer.from(Int8Array.of(127, 0).buffer).toString('base64') }] } };
  assert.deepEqual([...kept_where(kept, 7, [1, 3]).maps[0].parts], [2, 0]);
  assert.equal(kept_where(kept, 8, [3]), null);
  assert.equal(kept_where(kept, 7, [2]), null);
});

test('the sides of a sound have round numbers in their places', () => {
  const sound = { seconds: [0, 0.67], hz: [80, 7400], seen: [0, 0.66] };
  const times = time_ticks(sound);
  assert.deepEqual(times.map(({ words }) => words), ['0.0', '0.2', '0.4', '0.6 s']);
  assert.ok(Math.abs(times[3].across - 0.6 / 0.67) < 1e-9);
  assert.deepEqual(time_ticks({ ...sound, seconds: [3, 63] }).map(({ words }) => words), ['20', '40', '60 s']);
  const bands = hz_ticks(sound);
  assert.deepEqual(bands.map(({ hz }) => hz_words(hz)), ['100 Hz', '500 Hz', '1 kHz', '2 kHz', '4 kHz']);
  assert.ok(bands[0].down > 0.95 && bands[0].down < 1);
  assert.ok(bands.every(({ down }, at) => at === 0 || down < bands[at - 1].down));
  assert.equal(heard_words(sound), '');
  assert.match(heard_words({ ...sound, seconds: [0, 9], seen: [3.2, 7.2] }), /heard 3\.20 to 7\.20 s of 9\.00 s/);
});

test('what a report keeps of a sound goes with its map', () => {
  const kept = { method: 'additive', grid: [1, 1], features: { 3: [{ item: 7, value: 1, rest: 0, box: [0, 0, 1, 1], picture: [8, 8], largest: 2, parts: Buffer.from(Int8Array.of(127).buffer).toString('base64'), ...sound_of_map }] } };
  const where = kept_where(kept, 7, [3]);
  assert.deepEqual(where.sound, sound_of_map.sound);
  assert.equal(where.maps[0].place.words, sound_of_map.place.words);
});

async function with_page(address, body) {
  const { page, faults, close } = await watched_page(browser, address);
  try {
    await body(page);
    assert.deepEqual(faults, []);
  } finally {
    await close();
  }
}

/** The mean colour of a quarter of a painted picture. */
async function quarter(page, selector, right, below) {
  return page.$eval(selector, (canvas, [x, y]) => {
    const [w, h] = [canvas.width / 2, canvas.height / 2];
    const { data } = canvas.getContext('2d').getImageData(x * w, y * h, w, h);
    const sums = [0, 0, 0];
    for (let at = 0; at < data.length; at += 4) for (let c = 0; c < 3; ++c) sums[c] += data[at + c];
    return sums.map((sum) => sum / (data.length / 4));
  }, [right, below]);
}

test('the strongest items of a feature show where it fires, by a switch that the address keeps', async () => {
  await with_page(server.address, async (page) => {
    await visit(page, server.address, '#/run/1/feature/12');
    assert.equal(await page.$('canvas.heat'), null);
    await page.getByRole('button', { name: 'Show where in them it fires' }).first().click();
    await page.waitForSelector('.strongest canvas.heat');
    assert.match(page.url(), /where=1/);
    const [red, , blue] = await quarter(page, '.strongest canvas.heat', 0, 0);
    assert.ok(red > blue + 60, `${red} ${blue}`);
    assert.deepEqual(await page.evaluate(audit), []);
    assert.deepEqual(await page.evaluate(low_contrast), []);
    await page.getByRole('button', { name: 'Show the pictures as they are' }).first().click();
    await page.waitForFunction(() => !document.querySelector('canvas.heat'));
  });
});

test('an item shows where each of its features fires, and the parts add up', async () => {
  await with_page(server.address, async (page) => {
    await visit(page, server.address, '#/run/0/item/5');
    await page.waitForSelector('.item-where canvas.heat');
    const sum = await page.$$eval('.item-where .sum .numeric', (cells) => cells.map((cell) => Number(cell.textContent)));
    assert.deepEqual(sum, [0.5, 2, 2.5]);
    assert.match(await page.textContent('.item-where'), /2 x 2/);
    const options = await page.$$eval('.item-where select option', (list) => list.map((option) => option.value));
    await page.selectOption('.item-where select', options[1]);
    await page.waitForSelector(`.item-where canvas.heat[aria-label*="feature ${options[1]} fires"]`);
    await page.selectOption('.item-where select', 'off');
    await page.waitForSelector('.item-where canvas.shown:not(.heat)');
    assert.deepEqual(await page.evaluate(audit), []);
    assert.equal(await page.evaluate(overflow), 0);
  });
});

test('a match shows what in both pictures makes them similar', async () => {
  await with_page(server.address, async (page) => {
    await visit(page, server.address, '#/run/1/item/5');
    await page.waitForFunction(() => document.querySelectorAll('.match-where canvas.heat').length === 2);
    assert.match(await page.textContent('.match-where'), /similarity\s*2\.5/);
  });
});

test('a report shows its maps where it has some, and says that they are by covering', async () => {
  const report = make_report({ items: 200, features: 32, where: true });
  const address = place.write('where.html', report_html(page_file, report));
  await with_page(address, async (page) => {
    await visit(page, address, '#/run/1/feature/12?where=1');
    await page.waitForSelector('.strongest canvas.heat');
    assert.equal(await page.$$eval('.strongest canvas.heat', (list) => list.length), 3);
    const item = await page.$eval('.strongest canvas.heat', (canvas) => canvas.dataset.item);
    await visit(page, address, `#/run/1/item/${item}`);
    await page.waitForSelector('.item-where canvas.heat');
    assert.match(await page.textContent('.item-where'), /By covering/);
    assert.equal(await page.$('.match-where'), null);
    assert.deepEqual(await page.evaluate(audit), []);
  });
  const without = place.write('without.html', report_html(page_file, make_report({ items: 200, features: 32 })));
  await with_page(without, async (page) => {
    await visit(page, without, '#/run/1/feature/12?where=1');
    assert.equal(await page.$('.strongest button'), null);
    assert.ok((await picture_pixels(page, '.strongest canvas')).rgb.length > 0);
  });
});

test('a sound has seconds and frequencies beside its map, and the time and band in words', async () => {
  const live = await serve(page_file, make_report({ items: 200, features: 32, sounds: true, queries: ['sound'] }));
  try {
    await with_page(live.address, async (page) => {
      await visit(page, live.address, '#/run/1/item/5');
      await page.waitForSelector('.item-where canvas.heat');
      const words = await page.innerText('.item-where');
      assert.match(words, /Where in the sound/);
      assert.match(words, /Strongest at 0\.40-1\.00 s, 80 Hz-7\.4 kHz, which holds 75 % of what adds to it\. The network heard 0\.40 to 1\.60 s/);
      assert.match(await page.innerText('.item-where .sound-hz'), /1 kHz/);
      assert.match(await page.innerText('.item-where .sound-time'), /2\.0 s/);
      await page.waitForFunction(() => document.querySelectorAll('.match-where canvas.heat').length === 2);
      assert.match(await page.innerText('.match-where'), /What in the sounds makes them similar/);
      assert.deepEqual(await page.evaluate(audit), []);
      assert.deepEqual(await page.evaluate(low_contrast), []);
      await page.setViewportSize({ width: 360, height: 800 });
      assert.equal(await page.evaluate(overflow), 0);
    });
  } finally {
    live.close();
  }
});

test('the strongest sounds of a feature say when and in which band, in a report too', async () => {
  const address = place.write('sounds.html', report_html(page_file, make_report({ items: 200, features: 32, where: true, sounds: true, queries: ['sound'] })));
  await with_page(address, async (page) => {
    await visit(page, address, '#/run/1/feature/12?where=1');
    await page.waitForSelector('.strongest canvas.heat');
    assert.match(await page.innerText('.strongest'), /0\.40-1\.00 s\s+80 Hz-7\.4 kHz/);
    await page.getByRole('button', { name: 'Show the sounds as they are' }).first().click();
    await page.waitForFunction(() => !document.querySelector('canvas.heat'));
  });
});
