// The API of `orthant explore` over a fixture, as the contract has it: what the live page is tested against without
// the program.
import { createServer } from 'node:http';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { picture_pixel, sound_of_map } from './fixture.mjs';
import { png } from './png.mjs';
import { StaticSource } from '../../web/src/source/static_source.js';

const base64 = (array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString('base64');

/** The page without the policy of a file, and the policy that a server sends. */
function live_page(page_file) {
  const html = readFileSync(page_file, 'utf8').replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, '');
  const script = /<script>([\s\S]*?)<\/script>/.exec(html)[1];
  const hash = createHash('sha256').update(script).digest('base64');
  return { html, policy: `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'` };
}

function strip(items) {
  const pixels = Buffer.alloc(items.length * 32 * 32 * 3);
  for (let y = 0, at = 0; y < 32; ++y) {
    for (const item of items) for (let x = 0; x < 32; ++x, at += 3) pixels.set(picture_pixel(item, item % 10, x, y), at);
  }
  return png(items.length * 32, 32, pixels);
}

/** Maps of a grid of 2 x 2 places: the first one adds 3, the last takes 1. */
function where_of(item, features, other, sounds) {
  const map = (more) => ({ ...more, ...(sounds ? { place: sound_of_map.place } : {}), value: 2.5, rest: 0.5, parts: base64(Float32Array.of(3, 0, 0, -1)) });
  return { method: 'additive', grid: [2, 2], box: [0, 0, 1, 1], picture: [32, 32], ...(sounds ? { sound: sound_of_map.sound } : {}), maps: features.map((feature) => map({ feature })), match: other === null ? null : map({ with: other }) };
}

async function body_of(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

class Answer extends Error {
  constructor(status, line, more = {}) {
    super(line);
    this.status = status;
    this.more = more;
  }
}

async function answer(source, saved, request, url) {
  const path = url.pathname.replace('/api/v1/', '').split('/');
  const number = (name) => Number(url.searchParams.get(name));
  const [kind, run, part, which, leaf] = path;
  if (kind === 'overview') return source.overview();
  if (kind === 'labels') return { labels: base64(await source.labels()) };
  if (kind === 'ids') return { ids: await source.ids() };
  if (kind === 'texts') return { texts: await source.texts() };
  if (kind === 'compare') return source.compare(number('a'), number('b'));
  const r = Number(run);
  const named = (feature) => ({ ...feature, ...saved[`${r}/${feature.feature}`] });
  if (part === 'features' && which === undefined) return { features: (await source.features(r)).map(named) };
  if (part === 'features' && leaf === 'label' && request.method === 'PUT') {
    const { expected, ...label } = JSON.parse(await body_of(request));
    const present = saved[`${r}/${which}`] ?? { name: '', note: '' };
    if (expected && (present.name !== expected.name || present.note !== expected.note)) throw new Answer(409, 'another name was given meanwhile', { label: present });
    saved[`${r}/${which}`] = label;
    return label;
  }
  if (part === 'names') {
    const own = Object.entries(saved).filter(([key]) => key.startsWith(`${r}/`));
    return { format: 'orthant.names.1', features: Object.fromEntries(own.map(([key, label]) => [key.split('/')[1], label])) };
  }
  if (part === 'features') return named(await source.feature(r, Number(which)));
  if (part === 'items' && which === undefined) {
    const wanted = url.searchParams.get('class');
    return source.items(r, { offset: number('offset'), limit: number('limit'), class: wanted === null ? null : Number(wanted) });
  }
  if (part === 'items' && leaf === 'where') return where_of(Number(which), (url.searchParams.get('features') ?? '').split(',').filter(Boolean).map(Number), url.searchParams.has('with') ? number('with') : null, (await source.overview()).data.has_sounds);
  if (part === 'items' && leaf === 'changed') {
    const [features, values] = ['features', 'values'].map((name) => url.searchParams.get(name).split(',').map(Number));
    return source.changed(r, Number(which), features.map((feature, at) => ({ feature, value: values[at] })));
  }
  if (part === 'items') return source.item(r, Number(which));
  if (part === 'clean') return source.clean(r);
  if (part === 'vote') return source.vote(r);
  if (part === 'contrast') {
    const bits = await body_of(request);
    const items = await source.count();
    if (bits.length !== Math.ceil(items / 8)) throw new Answer(400, `expected ${Math.ceil(items / 8)} bytes`);
    return source.contrast(r, Uint8Array.from({ length: items }, (_, item) => (bits[item >> 3] >> (item & 7)) & 1));
  }
  if (part === 'rows') {
    const { indptr, indices, values } = await source.rows_of(r, (await body_of(request)).toString().split(',').map(Number));
    return { indptr: base64(indptr), indices: base64(Uint32Array.from(indices)), values: base64(values) };
  }
  if (part === 'explain') return source.explain(r, number('a'), number('b'));
  if (part === 'map') return { points: base64(await source.map(r, which)) };
  if (part === 'activations') return { values: base64(await source.activations(r, Number(which))) };
  if (part === 'embed' || part === 'text') {
    const body = await body_of(request);
    if (part === 'embed' && body.subarray(1, 4).toString('latin1') !== 'PNG') throw new Answer(415, 'expected a PNG or JPEG picture, got 9 bytes of something else');
    if (part === 'text' && body.toString().includes('gibberish')) throw new Answer(400, 'expected words, got gibberish');
    // A text stands for the item of that number in it.
    const like = part === 'text' ? Number(/\d+/.exec(body.toString())?.[0] ?? 6) : 5;
    const { item, id, texts, label, prediction, ...rest } = await source.item(r, like);
    const other = url.searchParams.has('with') ? number('with') : rest.neighbours[0].item;
    const { score, parts } = await source.explain(r, like, other);
    return { ...rest, with: other, score, parts };
  }
  throw new Answer(404, `no ${url.pathname} here`);
}

/** @returns {Promise<{address: string, saved: object, close: () => void}>} */
export async function serve(page_file, report) {
  const source = new StaticSource(report);
  const saved = {};
  const { html, policy } = live_page(page_file);
  const server = createServer(async (request, response) => {
    const url = new URL(request.url, 'http://localhost');
    const send = (status, type, body) => response.writeHead(status, { 'Content-Type': type, 'Content-Security-Policy': policy, 'X-Content-Type-Options': 'nosniff' }).end(body);
    try {
      if (url.pathname === '/') return send(200, 'text/html', html);
      if (url.pathname === '/api/v1/pictures') return send(200, 'image/png', strip(url.searchParams.get('items').split(',').map(Number)));
      return send(200, 'application/json', JSON.stringify(await answer(source, saved, request, url)));
    } catch (error) {
      return send(error.status ?? 404, 'application/json', JSON.stringify({ error: error.message, ...error.more }));
    }
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  const close = () => {
    server.closeAllConnections?.();
    server.close();
  };
  return { address: `http://127.0.0.1:${server.address().port}/`, saved, close };
}
