// A report made of invented data, by the contract of the page: two runs over the same items, with pictures that tell
// which item they show. Options make it hostile, bare or large.
import { gzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { LinearReadOut } from '../../web/src/source/read_out.js';
import { png } from './png.mjs';

/** A small generator with a seed (mulberry32), so that every fixture is the same every time. */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  };
}

const to_half = (() => {
  const float = new Float32Array(1);
  const bits = new Uint32Array(float.buffer);
  return (value) => {
    float[0] = value;
    const sign = (bits[0] >>> 16) & 0x8000;
    const exponent = ((bits[0] >>> 23) & 255) - 112;
    const fraction = bits[0] & 0x7fffff;
    if (exponent <= 0) return sign;
    return sign | Math.min(0x7bff, (exponent << 10) + ((fraction + 0x1000) >>> 13));
  };
})();

const packed = (array) => gzipSync(Buffer.from(array.buffer, array.byteOffset, array.byteLength), { level: 1 }).toString('base64');
const packed_json = (value) => gzipSync(JSON.stringify(value), { level: 1 }).toString('base64');

/** The colour of pixel (x, y) of an item's picture: unlike that of any other item. */
export function picture_pixel(item, label, x, y) {
  const inside = (x - 16) ** 2 + (y - 16) ** 2 < (6 + (label % 5) * 2) ** 2;
  const square = Math.abs(x - 16) < 9 && Math.abs(y - 16) < 9;
  const on = label % 2 ? square : inside;
  if (y === 31) return [(item & 255), (item >> 8) & 255, 128];
  return on ? [60 + ((label * 53) % 190), 230 - ((label * 71) % 190), 90 + ((item * 17) % 120)] : [28 + (item % 30), 30 + (x >> 1), 40 + (y >> 1)];
}

function atlas(items, labels) {
  const blobs = {};
  const tile = 32;
  for (let sheet = 0; sheet * 1024 < items; ++sheet) {
    const size = 1024;
    const pixels = Buffer.alloc(size * size * 3);
    for (let place = 0; place < 1024 && sheet * 1024 + place < items; ++place) {
      const item = sheet * 1024 + place;
      for (let y = 0; y < tile; ++y) {
        for (let x = 0; x < tile; ++x) {
          const at = ((Math.floor(place / 32) * tile + y) * size + (place % 32) * tile + x) * 3;
          pixels.set(picture_pixel(item, Math.max(0, labels[item]), x, y), at);
        }
      }
    }
    blobs[`atlas.${sheet}`] = png(size, size, pixels).toString('base64');
  }
  return { blobs, atlas: { tile_w: tile, tile_h: tile, per_row: 32, per_sheet: 1024, format: 'png' } };
}

/** Rows of features: a sparse run has a few for each class, a dense one has them all, of both signs. */
function rows_of(items, features, labels, sparse, next) {
  return Array.from({ length: items }, (_, item) => {
    const row = [];
    for (let feature = 0; feature < features; ++feature) {
      const home = feature % 10 === Math.max(0, labels[item]) % 10;
      if (!sparse) row.push([feature, (home ? 0.8 : 0) + (next() - 0.5) * 2]);
      else if (feature % 16 !== 15 && next() < (home ? 0.7 : 0.02)) row.push([feature, 0.05 + next() * (home ? 3 : 0.6)]);
    }
    return row;
  });
}

function silent_items(items, column) {
  const firing = new Set(column.map(({ item }) => item));
  const silent = [];
  for (let item = 0; item < items && silent.length < 12; ++item) if (!firing.has(item)) silent.push(item);
  return silent;
}

/** The samples of one side of a feature, strongest first, and their classes. */
function side_of(column, labels, classes) {
  const ordered = [...column].sort((x, y) => Math.abs(y.value) - Math.abs(x.value) || x.item - y.item);
  const total = ordered.length;
  const counts = new Array(classes).fill(0);
  ordered.forEach(({ item }) => labels[item] >= 0 && ++counts[labels[item]]);
  const known = counts.reduce((sum, count) => sum + count, 0);
  const best = counts.indexOf(Math.max(...counts));
  const band = (at) => ordered.slice(Math.floor((at * total) / 10), Math.floor(((at + 1) * total) / 10));
  const quantiles = Array.from({ length: 10 }, (_, at) => {
    const own = band(at);
    return { from: (9 - at) / 10, to: (10 - at) / 10, low: own.at(-1)?.value ?? 0, high: own[0]?.value ?? 0, items: own.slice(0, 8) };
  });
  return { total, counts, consistency: known ? counts[best] / known : null, class: known ? best : null, top: ordered.slice(0, 24), profile: known ? counts.map((count) => count / known) : [], quantiles };
}

function histogram_of(column, items) {
  const values = column.map(({ value }) => value);
  const [low, high] = [Math.min(0, ...values), values.length ? Math.max(0, ...values) : 1];
  const counts = new Array(20).fill(0);
  values.forEach((value) => ++counts[Math.min(19, Math.floor(((value - low) / (high - low)) * 20))]);
  return { edges: Array.from({ length: 21 }, (_, at) => low + ((high - low) * at) / 20), counts, zeros: items - values.length };
}

/** Some words, as a feature of one sign or the other would have them. */
const words_of = (words, feature, sign) => words(feature).map((word, at) => ({ word, items: 40 - 3 * at, with: sign * (1.5 - at / 10), without: sign * 0.02 }));

function feature_documents(rows, features, labels, classes, sparse, words) {
  const columns = Array.from({ length: features }, () => []);
  rows.forEach((row, item) => row.forEach(([feature, value]) => Math.abs(value) > 1e-5 && columns[feature].push({ item, value })));
  return columns.map((column, feature) => {
    const positive = side_of(column.filter(({ value }) => value > 0), labels, classes);
    const negative = side_of(column.filter(({ value }) => value < 0), labels, classes);
    const total = column.length;
    const { counts } = positive;
    return {
      feature, name: '', note: '', firing_rate: total / rows.length,
      expected_activation: column.reduce((sum, { value }) => sum + value, 0) / rows.length / 5, max: Math.max(0, positive.top[0]?.value ?? 0),
      consistency: positive.consistency, class: positive.class,
      entropy: positive.consistency === null ? null : -positive.profile.reduce((sum, share) => (share ? sum + share * Math.log(share) : sum), 0),
      anchors: feature % 4 === 0 ? Math.min(3, total) : 0,
      flags: total === 0 ? ['dead'] : !sparse ? ['dense'] : feature === 21 ? ['duplicate'] : [],
      duplicate_of: feature === 21 && sparse ? 11 : null,
      top: positive.top, profile: positive.profile, quantiles: positive.quantiles, words: words_of(words, feature, 1),
      negative: negative.total ? { rate: negative.total / rows.length, min: negative.top[0].value, consistency: negative.consistency, class: negative.class, top: negative.top, profile: negative.profile, quantiles: negative.quantiles, words: words_of(words, feature + 1, -1) } : null,
      silent: silent_items(rows.length, column),
      histogram: histogram_of(column, rows.length),
      classes: counts.map((count, label) => ({ class: label, count, share: positive.profile[label] ?? 0, rate: Math.min(1, (count * classes) / rows.length), mean: count / rows.length, negative: negative.counts[label] })),
      similar: Array.from({ length: 8 }, (_, at) => ({ feature: (feature + at + 1) % features, cosine: 0.9 - at / 10 })),
      cofiring: Array.from({ length: 8 }, (_, at) => ({ feature: (feature + 10 * (at + 1)) % features, both: 40 - at, jaccard: 0.5 - at / 20, lift: 4 - at / 3 })),
      anchor_items: feature % 4 === 0 ? column.slice(0, 3) : [],
    };
  });
}

/** A classifier whose classes go by the features that the fixture gives them, what it does, and its weights. */
function read_out_of(rows, features, labels, classes) {
  const weights = Float32Array.from({ length: classes * features }, (_, at) => ((at % features) % 10 === Math.floor(at / features) % 10 ? 1 : -0.05));
  const document = { weights: Buffer.from(weights.buffer).toString('base64'), bias: Array.from({ length: classes }, (_, label) => label / 10) };
  const linear = new LinearReadOut(document);
  const counts = Array.from({ length: classes }, () => new Array(classes).fill(0));
  const sums = Array.from({ length: classes }, () => new Array(features).fill(0));
  rows.forEach((row, item) => {
    if (labels[item] < 0) return;
    ++counts[labels[item]][linear.predict(row.map(([feature, value]) => ({ feature, value }))).class];
    row.forEach(([feature, value]) => (sums[labels[item]][feature] += value));
  });
  const sizes = counts.map((row) => row.reduce((sum, count) => sum + count, 0));
  const judged = sizes.reduce((sum, size) => sum + size, 0);
  const recall = counts.map((row, label) => row[label] / sizes[label]);
  const mistakes = counts.flatMap((row, label) => row.map((items, predicted) => ({ label, predicted, items, share: items / sizes[label] }))).filter(({ label, predicted, items }) => label !== predicted && items > 0);
  const carried = sums.map((own, label) => {
    const parts = own.map((sum, feature) => ({ feature, activation: sum / sizes[label], weight: weights[label * features + feature] })).map((part) => ({ ...part, value: part.activation * part.weight })).filter(({ value }) => value !== 0).sort((x, y) => Math.abs(y.value) - Math.abs(x.value));
    const total = (list) => list.reduce((sum, { value }) => sum + value, 0);
    return { class: label, score: total(parts) + document.bias[label], bias: document.bias[label], parts: parts.slice(0, 12), others: { features: Math.max(0, parts.length - 12), value: total(parts.slice(12)) }, items: sizes[label] };
  });
  const right = counts.reduce((sum, row, label) => sum + row[label], 0);
  const classifier = { judged, unlabelled: labels.length - judged, accuracy: right / judged, commonest: Math.max(...sizes) / judged, worst: recall.indexOf(Math.min(...recall)), recall, precision: recall, counts, mistakes: mistakes.sort((x, y) => y.share - x.share).slice(0, 10), carried };
  return { classifier, document };
}

/** Twelve of each row's class: near enough for a fixture, in the layout of the contract. */
function neighbour_table(items, labels) {
  const table = new Int32Array(items * 24);
  for (let item = 0; item < items; ++item) {
    for (let at = 0, other = item; at < 24; ++at) {
      do other = (other + 1) % items;
      while (items > 300 && labels[other] !== labels[item]);
      table[item * 24 + at] = other;
    }
  }
  return table;
}

function measures_of(sparse, labelled) {
  const labels = labelled ? { class_consistency: { active: sparse ? 0.41 : 0.1, positive: sparse ? 0.43 : 0.14, strong: sparse ? 0.61 : 0.33, top: sparse ? 0.72 : 0.31 }, chance: { class_consistency: { top: 0.17 } }, class_entropy: sparse ? 1.21 : 2.29, knn_accuracy: sparse ? 0.871 : 0.874, precision_at_10: sparse ? 0.79 : 0.77, map_at_10: sparse ? 0.83 : 0.82 } : {};
  return { sparsity: sparse ? 0.873 : 0, active_per_sample: sparse ? 8.1 : 64, dead_features: sparse ? 4 : 0, non_negative_ratio: sparse ? 1 : 0.56, anchored_features: sparse ? 16 : 0, correlation: { mean: sparse ? 0.1 : 0.31, median: sparse ? 0.06 : 0.28 }, effective_rank: sparse ? 3.6 : 2.9, ...labels, measures: [{ id: 'knn-accuracy/1', parameters: { k: 20 } }] };
}

function selection_of(sparse) {
  const point = (by, rank, kept, speed) => {
    const share = 1 - Math.exp(-kept / speed);
    return { by, rank, kept, draws: 1, probe: null, knn_accuracy: { mean: 0.87 * share, std: 0 }, precision_at_10: { mean: 0.79 * share, std: 0 }, map_at_10: { mean: 0.83 * share, std: 0 } };
  };
  const kept = [4, 8, 16, 32, 64];
  return { files: [{ embeddings: 'e.safetensors', points: [...kept.map((keep) => point('random', null, keep, 22)), ...kept.map((keep) => point('activation', 'relu', keep, sparse ? 7 : 18))] }] };
}

function run_of(run, { sparse, features, items, labelled, curves, name, queries }) {
  const half = Math.min(256, features);
  const values = Buffer.alloc(half * half);
  for (let i = 0; i < half; ++i) for (let j = 0; j < half; ++j) values[i * half + j] = Math.min(255, 255 * Math.exp(-Math.abs(i - j) / (sparse ? 2 : 12)) + (sparse ? 0 : 30));
  const epochs = Array.from({ length: 20 }, (_, at) => ({ epoch: at + 1, loss: 5.2 * Math.exp(-at / 9) + 1 + run * 0.1, knn_backbone: 0.45 + 0.4 * (1 - Math.exp(-at / 6)), sparsity: sparse ? 0.5 + 0.37 * (1 - Math.exp(-at / 4)) : 0, consistency: sparse ? 0.15 + 0.28 * (1 - Math.exp(-at / 7)) : 0.13, consistency_top: sparse ? 0.2 + 0.5 * (1 - Math.exp(-at / 7)) : 0.3, correlation: sparse ? 0.3 - 0.2 * (1 - Math.exp(-at / 5)) : 0.31, effective_rank: 2 + at / 12, dead_features: sparse ? Math.min(4, at) : 0, seconds: 12, ...(labelled ? {} : { consistency: 0, consistency_top: 0 }) }));
  return {
    run, name, path: `runs/${name}`, method: sparse ? 'ncl' : 'cl', features, sparse,
    recipe: curves ? [['data', 'source', 'sprites', 'Data set, KIND[:PATH]'], ['model', 'backbone', 'conv-mini', 'Network'], ['model', 'sigma', sparse ? 'rep-relu' : 'none', 'What makes features non-negative'], ['loss', 'temperature', '0.2', 'Temperature of InfoNCE'], ['train', 'epochs', '20', 'Passes over the data']] : [],
    curves: curves ? epochs : [],
    measures: measures_of(sparse, labelled),
    selection: curves ? selection_of(sparse) : null,
    histograms: {
      sparsity: { edges: Array.from({ length: 21 }, (_, at) => at * (sparse ? 1 : features / 20)), counts: Array.from({ length: 20 }, (_, at) => Math.round(sparse ? items * 0.16 * Math.exp(-((at - 8) ** 2) / 12) : at === 19 ? items : 0)) },
      consistency: labelled ? { edges: Array.from({ length: 21 }, (_, at) => at / 20), counts: Array.from({ length: 20 }, (_, at) => Math.round(features * 0.15 * Math.exp(-((at - (sparse ? 9 : 2)) ** 2) / 14))) } : { edges: [], counts: [] },
    },
    correlation: { order: Array.from({ length: half }, (_, at) => (at * 7) % half), size: half, values: values.toString('base64') },
    classifier: null,
    queries: curves ? queries : [],
    maps: ['pca', 'umap'],
  };
}

/** Makes a run one of vectors that were adapted. */
function adapt(run, features) {
  const row = (code, on, share) => ({ code, active_per_row: on, explained_variance: share, one_nn: 0.7 + 0.1 * share, knn_20: 0.75, precision_at_10: 0.6, recall_of_dense_10: share, dead_share: 0.02 });
  run.method = 'topk';
  run.recipe.push(['adapter', 'features', String(features), 'Features']);
  run.measures.monosemanticity = 0.65;
  run.measures['chance.monosemanticity'] = 0.5;
  run.adapter = {
    kind: 'adapter', held_out: 100, bank: 900, retained: [row('dense', 512, 1), row('4 on', 4, 0.3), row('32 on', 32, 0.625)],
    chance: { code: 'chance', active_per_row: null, explained_variance: null, one_nn: 0.1, knn_20: 0.11, precision_at_10: 0.1, recall_of_dense_10: 0.0111, dead_share: null },
  };
}

/** Items to look at: some of each kind, none with fewer than three items. */
function clean_of(items, features, labels, classes) {
  if (items < 3) return { left_out: 'fewer than three items' };
  const label = (item) => (labels[item] >= 0 ? labels[item] : null);
  const some = (from, step, most, make) => Array.from({ length: most }, (_, at) => from + at * step).filter((item) => item < items).map(make);
  const wrong = classes > 1 ? some(4, 7, 5, (item, at) => ({ kind: 'label', item, score: 0.99 - at / 50, label: label(item), suggested: ((label(item) ?? 0) + 1) % classes, own: 0.02, likelier: 0.7, reasons: [{ feature: 12 % features, value: 1.5 }, { feature: 3 % features, value: 0.4 }], words: 'wrong' })) : [];
  const same = some(20, 9, 3, (item, at) => ({ kind: 'duplicate', item, score: 1 - at / 5, label: label(item), other: item - 1, distance: at / 7, words: 'same' }));
  const far = some(11, 5, 2, (item) => ({ kind: 'outlier', item, score: 0.6, label: label(item), distance: 1.4, words: 'far' }));
  const kinds = [['label', wrong], ['duplicate', same], ['leak', []], ['outlier', far], ['empty', []]].map(([kind, list]) => ({ kind, count: list.length, words: `how ${kind} was judged` }));
  return { items, kinds, labels: { judged: items, agreement: 0.9, chance: 0.1, left_out: '' }, distances: { usual: 0.2, far: 0.3, outliers_expected: 0.1 }, suspects: [...wrong, ...same, ...far] };
}

/** What a map of a sound of two seconds has beside that of a picture: its axes, and where it is strongest. */
export const sound_of_map = { sound: { seconds: [0, 2], hz: [80, 7400], seen: [0.4, 1.6] }, place: { seconds: [0.4, 1], hz: [80, 7400], share: 0.75, words: '0.40-1.00 s, 80 Hz-7.4 kHz' } };

/** Where features fire in their three strongest items, as a report has it: by covering one of 1 x 2 places, the left one matters. */
function where_document(documents, sounds) {
  const more = sounds ? { ...sound_of_map, box: [0.2, 0, 0.6, 1] } : {};
  const map = ({ item, value }) => ({ item, value, rest: 0, box: [0, 0, 1, 1], picture: [32, 32], largest: 4, parts: Buffer.from(Int8Array.of(127, -64).buffer).toString('base64'), ...more });
  return { method: 'occlusion', grid: [1, 2], features: Object.fromEntries(documents.map(({ feature, top }) => [feature, top.slice(0, 3).map(map)])) };
}

/**
 * @param {{items?: number, features?: number, runs?: number, classes?: string[], pictures?: boolean, curves?: boolean,
 *   ids?: (item: number) => string, names?: object, seed?: number, run_names?: string[],
 *   texts?: (item: number) => string[], words?: (feature: number) => string[], supervised?: boolean, queries?: string[], where?: boolean, sounds?: boolean, adapted?: boolean}} options
 */
export function make_report({ items = 1200, features = 64, runs = 2, classes = ['circle', 'square', 'triangle', 'star', 'ring', 'cross', 'heart', 'moon', 'arrow', 'leaf'], pictures = true, curves = true, ids = (item) => `test/${item}`, names = {}, seed = 1, run_names = ['cl', 'ncl'], texts, words = () => [], supervised = false, queries = ['picture'], where = false, sounds = false, adapted = false } = {}) {
  const next = random(seed);
  const labelled = classes.length > 0;
  const labels = Int32Array.from({ length: items }, (_, item) => (labelled && item % 97 !== 96 ? item % classes.length : -1));
  const home = Int32Array.from(labels, (label, item) => (label < 0 ? item % 10 : label));
  const blobs = { labels: packed(labels), ids: packed_json(Array.from({ length: items }, (_, item) => ids(item))) };
  if (texts) blobs.texts = packed_json(Array.from({ length: items }, (_, item) => texts(item)));
  const list = [];
  for (let run = 0; run < runs; ++run) {
    const sparse = run === runs - 1;
    list.push(run_of(run, { sparse, features, items, labelled, curves, name: run_names[runs === 1 ? 1 : run], queries }));
    const rows = rows_of(items, features, home, sparse, next);
    if (supervised) {
      const { classifier, document } = read_out_of(rows, features, labels, classes.length);
      Object.assign(list[run], { classifier, method: sparse ? 'nce' : 'ce' });
      blobs[`r${run}.classifier`] = packed_json(document);
    }
    if (adapted) adapt(list[run], features);
    const indptr = new Uint32Array(items + 1);
    rows.forEach((row, item) => (indptr[item + 1] = indptr[item] + row.length));
    blobs[`r${run}.indptr`] = packed(indptr);
    blobs[`r${run}.indices`] = packed(Uint16Array.from(rows.flatMap((row) => row.map(([feature]) => feature))));
    blobs[`r${run}.values`] = packed(Uint16Array.from(rows.flatMap((row) => row.map(([, value]) => to_half(value)))));
    blobs[`r${run}.neighbours`] = packed(neighbour_table(items, home));
    const documents = feature_documents(rows, features, labels, classes.length, sparse, words);
    if (adapted) documents.forEach((document, at) => (document.monosemanticity = document.flags.includes('dead') ? null : 0.9 - (0.5 * at) / features));
    blobs[`r${run}.features`] = packed_json(documents);
    blobs[`r${run}.clean`] = packed_json(clean_of(items, features, labels, classes.length));
    if (where) blobs[`r${run}.where`] = packed_json(where_document(feature_documents(rows, features, labels, classes.length, sparse, words), sounds));
    for (const layout of ['pca', 'umap']) {
      const points = new Int16Array(items * 2);
      for (let item = 0; item < items; ++item) {
        const [angle, spread] = [(home[item] / 10) * 2 * Math.PI, layout === 'umap' ? 0.16 : 0.3];
        points[2 * item] = 32767 * Math.max(-1, Math.min(1, 0.7 * Math.cos(angle) + spread * (next() + next() - 1)));
        points[2 * item + 1] = 32767 * Math.max(-1, Math.min(1, 0.7 * Math.sin(angle) + spread * (next() + next() - 1)));
      }
      blobs[`r${run}.map.${layout}`] = packed(points);
    }
  }
  for (let a = 0; a < runs; ++a) {
    for (let b = a + 1; b < runs; ++b) {
      // Every fourth cosine is negative, the last of them by next to nothing; the dead features of the sparse run have no partner.
      const matched = Array.from({ length: features }, (_, at) => ({ a: at, b: (at * 7) % features })).filter((pair) => pair.b % 16 !== 15);
      const pairs = matched.map((pair, at) => ({ ...pair, similarity: 0.95 - at / features, cosine: (at % 4 === 1 ? -1 : 1) * (0.95 - at / features) }));
      const sum = pairs.reduce((total, { similarity }) => total + similarity, 0);
      blobs[`r${a}.compare.r${b}`] = packed_json({ a, b, pairs, mean: sum / features, mean_of_pairs: pairs.length ? sum / pairs.length : null, live: [features, pairs.length] });
    }
  }
  const sheets = pictures ? atlas(items, home) : { blobs: {}, atlas: null };
  return {
    overview: { api: 1, orthant: '0.1.0', generated: '2026-11-15T12:00:00Z', data: { spec: 'sprites', split: 'test', items, classes, has_pictures: pictures, has_texts: Boolean(texts), has_sounds: sounds, picture: pictures ? { width: 32, height: 32, channels: 3 } : null }, runs: list },
    names,
    atlas: sheets.atlas,
    blobs: { ...blobs, ...sheets.blobs },
  };
}

/** The file: the page with the data in its place, as `orthant report` writes it. */
export function report_html(page_file, report) {
  const data = JSON.stringify(report).replaceAll('<', '\\u003c');
  const [before, after] = readFileSync(page_file, 'utf8').split('<!--orthant:data-->');
  return `${before}<script id="orthant-data" type="application/json">${data}</script>${after}`;
}
