// How fluent the map of the page is in headless Chromium:
//   ORTHANT_PAGE_DIR=BUILD/web node bench/map.mjs [POINTS ...]
// Generated points (a hundred clouds, seeded), 1180 x 720 pixels, painted as the page paints them: dragged and zoomed for
// two seconds each, frame after frame. There is no graphics card: Chromium draws in software, which is said below. Frames
// per second are what requestAnimationFrame gives, at most 60; "paint" is what the points take of it, "shown" the
// share of the points that is painted while the map moves (all of them once it stands still).
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { launch, page_dir } from '../tests/web/browser.mjs';

const sizes = process.argv.slice(2).map(Number);
const counts = sizes.length ? sizes : [10000, 100000, 1000000];
const here = dirname(fileURLToPath(import.meta.url));
const { build } = createRequire(join(page_dir, 'package.json'))('esbuild');
const entry = `
  import { MapPainter } from ${JSON.stringify(resolve(here, '../web/src/map/map_painter.js'))};
  import { by_class } from ${JSON.stringify(resolve(here, '../web/src/map/map_colours.js'))};
  window.map_parts = { MapPainter, by_class };
`;
const bundle = await build({ stdin: { contents: entry, resolveDir: here }, bundle: true, write: false, format: 'iife' });
const folder = mkdtempSync(join(tmpdir(), 'orthant-map-'));
writeFileSync(join(folder, 'map.html'), `<!doctype html><meta charset="utf-8"><style>:root{--map-pale:#dfe3e8;--map-dim:#e6e9ed}</style><canvas style="width:1180px;height:720px"></canvas><script>${bundle.outputFiles[0].text}</script>`);

/** Runs in the page. */
async function measure(count) {
  const { MapPainter, by_class } = window.map_parts;
  let state = 7;
  const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 4294967296;
  const centres = Array.from({ length: 100 }, () => [1.6 * next() - 0.8, 1.6 * next() - 0.8]);
  const points = new Float32Array(2 * count);
  const labels = new Int32Array(count);
  for (let i = 0; i < count; ++i) {
    const at = Math.floor(next() * 100);
    labels[i] = at % 10;
    points[2 * i] = centres[at][0] + 0.15 * (next() + next() + next() - 1.5);
    points[2 * i + 1] = centres[at][1] + 0.15 * (next() + next() + next() - 1.5);
  }
  const canvas = document.querySelector('canvas');
  const begin = performance.now();
  const map = new MapPainter(canvas);
  map.resize(1180, 720, 1);
  map.set_points(points);
  const { colours, ranks } = by_class(labels);
  map.set_colours(colours, ranks);
  const opened = performance.now() - begin;
  const frames = (change) => new Promise((done) => {
    const spent = [];
    const paints = [];
    let shown = 1;
    let last = performance.now();
    const until = last + 2000;
    const step = () => {
      const now = performance.now();
      spent.push(now - last);
      last = now;
      shown = Math.min(shown, 1 / map.stride);
      paints.push(map.cost / map.stride);
      if (now > until) return done({ spent: spent.slice(2), paints, shown });
      change(spent.length);
      return requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  });
  const drag = await frames((at) => map.pan(at % 80 < 40 ? 6 : -6, at % 60 < 30 ? 4 : -4));
  const zoom = await frames((at) => map.zoom(at % 120 < 60 ? 1.05 : 1 / 1.05, 500, 300));
  map.stop();
  return { opened, drag, zoom };
}

const median = (values) => [...values].sort((x, y) => x - y)[Math.floor(values.length / 2)];
const browser = await launch();
const page = await (await browser.newContext({ viewport: { width: 1180, height: 720 } })).newPage();
await page.goto(pathToFileURL(join(folder, 'map.html')).href);
const renderer = await page.evaluate(() => {
  const gl = document.createElement('canvas').getContext('webgl');
  const about = gl?.getExtension('WEBGL_debug_renderer_info');
  return about ? gl.getParameter(about.UNMASKED_RENDERER_WEBGL) : 'no WebGL';
});
console.log(`Chromium ${browser.version()}, headless; graphics: ${renderer}; the map itself is painted by the processor, on one thread`);
for (const count of counts) {
  const { opened, drag, zoom } = await page.evaluate(measure, count);
  const told = ({ spent, paints, shown }) => `${(1000 / median(spent)).toFixed(0).padStart(3)} frames/s (slowest frame ${Math.max(...spent).toFixed(0)} ms, paint ${median(paints).toFixed(1)} ms, ${(100 * shown).toFixed(0)} % shown)`;
  console.log(`${count.toLocaleString('en-US').padStart(10)} points: opened in ${opened.toFixed(0)} ms; drag ${told(drag)}; zoom ${told(zoom)}`);
}
await browser.close();
rmSync(folder, { recursive: true, force: true });
