import { as_array, from_base64, from_half, gunzip } from './bytes.js';
import { shortened } from '../format.js';
import { find_item } from './find_item.js';
import { LinearReadOut } from './read_out.js';
import { kFiring, SparseRows } from './sparse_rows.js';
import { Sheets } from './sheets.js';
import { NameStore, same_label } from './name_store.js';
import { kept_where } from './where.js';
import { best_of } from './ranking.js';
import { vote_of } from './vote.js';

const kNeighbours = 24;
const kMostClasses = 4000; // of a confusion matrix
const kLinks = 100;
const kListed = 200; // characters of a text where many are shown

/**
 * The document in a report (docs/report.md).
 * @typedef {object} Report
 * @property {import('./contract.js').Overview} overview
 * @property {Record<string, {features: Record<string, import('./contract.js').Label>}>} [names]  by number of the run
 * @property {number[]} [scales]
 * @property {import('./sheets.js').Atlas|null} [atlas]
 * @property {Record<string, string>} blobs
 */

/** What a card shows of the strongest items. @param {import('./contract.js').Valued[]} top */
const first_items = (top) => top.slice(0, 12).map(({ item }) => item);

/**
 * A report: everything is in the file, and unpacked when it is first asked for.
 * @implements {Source}
 * @typedef {import('./contract.js').Source} Source
 */
export class StaticSource {
  live = false;

  /** @param {Report} report */
  constructor(report) {
    this.report = report;
    /** @type {Map<string, Promise<unknown>>} */
    this.kept = new Map();
    this.name_store = new NameStore(report);
    this.keeps = true;
    this.sheets = new Sheets((name) => this.raw(name), () => this.atlas(), () => this.report.overview.data.picture);
  }

  /**
   * The result of `make`, made once.
   * @template T
   * @param {string} key
   * @param {() => Promise<T>} make
   * @returns {Promise<T>}
   */
  once(key, make) {
    if (!this.kept.has(key)) this.kept.set(key, make());
    return /** @type {Promise<T>} */ (this.kept.get(key));
  }

  /** @param {string} name */
  has(name) {
    return this.report.blobs[name] !== undefined;
  }

  /** @param {string} name */
  raw(name) {
    const text = this.report.blobs[name];
    if (text === undefined) throw new Error(`This report holds no ${name}.`);
    return from_base64(text);
  }

  /** @param {string} name */
  bytes(name) {
    return this.once(`bytes ${name}`, async () => gunzip(this.raw(name)));
  }

  /** @template T @param {string} name @returns {Promise<T>} */
  json(name) {
    return this.once(`json ${name}`, async () => JSON.parse(new TextDecoder().decode(await gunzip(this.raw(name)))));
  }

  async atlas() {
    if (!this.report.atlas) throw new Error('This report holds no pictures.');
    return this.report.atlas;
  }

  async overview() {
    return this.report.overview;
  }

  /** @param {number} run */
  rows(run) {
    return this.once(`rows ${run}`, async () => {
      const [indptr, indices, values] = await Promise.all(
        ['indptr', 'indices', 'values'].map((part) => this.bytes(`r${run}.${part}`)),
      );
      const data = from_half(values, this.report.scales?.[run]);
      const narrow = indices.byteLength === 2 * data.length;
      const columns = narrow ? as_array(indices, Uint16Array) : as_array(indices, Uint32Array);
      return new SparseRows(as_array(indptr, Uint32Array), columns, data);
    });
  }

  /** @param {number} run @returns {Promise<import('./contract.js').FeatureDocument[]>} */
  documents(run) {
    return this.json(`r${run}.features`);
  }

  /** @type {Source['features']} */
  features(run) {
    return this.once(`features ${run}`, async () => {
      const documents = await this.documents(run);
      return documents.map((document) => ({
        ...document,
        top: first_items(document.top),
        negative: document.negative && { ...document.negative, top: first_items(document.negative.top) },
      }));
    });
  }

  /** @type {Source['feature']} */
  async feature(run, feature) {
    const found = (await this.documents(run)).find((document) => document.feature === feature);
    if (!found) throw new Error(`There is no feature ${feature} in run ${run}.`);
    return found;
  }

  /** @type {Source['labels']} */
  labels() {
    return this.once('labels', async () =>
      this.has('labels') ? as_array(await this.bytes('labels'), Int32Array) : new Int32Array(await this.count()).fill(-1),
    );
  }

  async count() {
    return (await this.rows(0)).rows;
  }

  /** @type {Source['ids']} */
  ids() {
    return this.json('ids');
  }

  /** What is written of each item. @returns {Promise<string[][]>} */
  async all_texts() {
    return this.has('texts') ? this.json('texts') : [];
  }

  /** @type {Source['texts']} */
  texts() {
    return this.once('first texts', async () => (await this.all_texts()).map(([first = '']) => shortened(first, kListed)));
  }

  /** @param {SparseRows} rows @param {number} item */
  async summary(rows, item) {
    const [labels, ids] = [await this.labels(), await this.ids()];
    return { item, id: ids[item], label: labels[item] >= 0 ? labels[item] : null, active: rows.active(item) };
  }

  /** @type {Source['items']} */
  async items(run, { offset, limit, class: wanted = null }) {
    const rows = await this.rows(run);
    const labels = await this.labels();
    const chosen = [];
    for (let item = 0; item < rows.rows; ++item) if (wanted === null || labels[item] === wanted) chosen.push(item);
    const items = await Promise.all(chosen.slice(offset, offset + limit).map((item) => this.summary(rows, item)));
    return { total: chosen.length, items };
  }

  /** @type {Source['item']} */
  async item(run, item) {
    const rows = await this.rows(run);
    if (!(item >= 0 && item < rows.rows)) throw new Error(`There is no item ${item}: items are 0 to ${rows.rows - 1}.`);
    const { of } = await this.neighbours(run, rows);
    const neighbours = of(item).map((other) => ({ item: other, score: rows.explain(item, other).score }));
    /** @type {number[][]} */
    const all_links = this.has('links') ? await this.json('links') : [];
    const links = (all_links[item] ?? []).map((other) => ({ item: other, score: rows.explain(item, other).score }));
    links.sort((a, b) => b.score - a.score || a.item - b.item);
    const { id, label, active } = await this.summary(rows, item);
    const texts = (await this.all_texts())[item] ?? [];
    /** @type {import('./contract.js').FeatureMarks[][]} */
    const all_marks = this.has(`r${run}.marks`) ? await this.json(`r${run}.marks`) : [];
    const features = rows.entries(item);
    const prediction = (await this.read_out(run))?.predict(rows.all(item)) ?? null;
    return { item, id, texts, marks: all_marks[item] ?? [], label, active, norm: rows.norm(item), features, neighbours, links: links.slice(0, kLinks), prediction };
  }

  /** The classifier of a run, if it has one. @param {number} run @returns {Promise<LinearReadOut|null>} */
  read_out(run) {
    return this.once(`read-out ${run}`, async () => (this.has(`r${run}.classifier`) ? new LinearReadOut(await this.json(`r${run}.classifier`)) : null));
  }

  /** @type {Source['explain']} */
  async explain(run, a, b) {
    return (await this.rows(run)).explain(a, b);
  }

  /** @type {Source['clean']} */
  clean(run) {
    return this.json(`r${run}.clean`);
  }

  /** How many features a run has. @param {number} run */
  width(run) {
    return this.report.overview.runs[run].features;
  }

  /** @type {Source['contrast']} */
  async contrast(run, chosen) {
    return (await this.rows(run)).contrast(chosen, this.width(run));
  }

  /** @type {Source['rows_of']} */
  async rows_of(run, items) {
    return (await this.rows(run)).subset(items);
  }

  /** @param {number} run @param {SparseRows} rows */
  async neighbours(run, rows) {
    const near = as_array(await this.bytes(`r${run}.neighbours`), Int32Array);
    const width = Math.round(near.length / rows.rows) || kNeighbours;
    return { width, of: (/** @type {number} */ item) => [...near.subarray(item * width, (item + 1) * width)].filter((other) => other >= 0) };
  }

  /** @type {Source['changed']} */
  async changed(run, item, changes) {
    const rows = await this.rows(run);
    const before = new Float32Array(this.width(run));
    for (const { feature, value } of rows.all(item)) before[feature] = value;
    const after = before.slice();
    for (const { feature, value } of changes) after[feature] = value;
    const [was, is] = [rows.cosines(before), rows.cosines(after)];
    const match = (/** @type {number} */ other) => ({ item: other, score: is[other], was: was[other] });
    const { width, of } = await this.neighbours(run, rows);
    const nearest = best_of(is, width + 1).filter((other) => other !== item).slice(0, Math.max(1, width));
    const all = [...after].flatMap((value, feature) => (value === 0 ? [] : [{ feature, value }]));
    const square = all.reduce((sum, { value }) => sum + value * value, 0);
    const features = all.filter(({ value }) => Math.abs(value) > kFiring).map((entry) => ({ ...entry, share: entry.value ** 2 / square }));
    features.sort((x, y) => Math.abs(y.value) - Math.abs(x.value) || x.feature - y.feature);
    return {
      item, active: features.length, norm: Math.sqrt(square), features: features.slice(0, 256), neighbours: nearest.map(match), before: of(item).map(match),
      prediction: (await this.read_out(run))?.predict(all) ?? null,
    };
  }

  /** @type {Source['vote']} */
  vote(run) {
    return this.once(`vote ${run}`, async () => {
      const { classes } = this.report.overview.data;
      const rows = await this.rows(run);
      const { width, of } = await this.neighbours(run, rows);
      return classes.length && classes.length <= kMostClasses ? vote_of(await this.labels(), classes.length, width, of) : null;
    });
  }

  /** @type {Source['map']} */
  async map(run, layout) {
    const points = as_array(await this.bytes(`r${run}.map.${layout}`), Int16Array);
    return Float32Array.from(points, (value) => value / 32767);
  }

  /** @type {Source['activations']} */
  async activations(run, feature) {
    return (await this.rows(run)).column(feature);
  }

  /** @type {Source['compare']} */
  async compare(a, b) {
    if (this.has(`r${a}.compare.r${b}`)) return this.json(`r${a}.compare.r${b}`);
    /** @type {import('./contract.js').Comparison} */
    const turned = await this.json(`r${b}.compare.r${a}`);
    const [live_b, live_a] = turned.live;
    return { ...turned, live: [live_a, live_b], pairs: turned.pairs.map((pair) => ({ ...pair, a: pair.b, b: pair.a })) };
  }

  /** @type {Source['find']} */
  async find(text) {
    return find_item(await this.ids(), text);
  }

  /** @type {Source['picture']} */
  picture(item) {
    return this.sheets.picture(item);
  }

  /** @type {Source['has_sound']} */
  has_sound(item) {
    return this.has(`sound.${item}`);
  }

  /** @type {Source['sound']} */
  async sound(item) {
    return `data:audio/mpeg;base64,${this.report.blobs[`sound.${item}`]}`;
  }

  /** @type {Source['has_where']} */
  has_where({ run }) {
    return this.has(`r${run}.where`);
  }

  /** @type {Source['where']} */
  async where(run, item, { features }) {
    return this.has(`r${run}.where`) ? kept_where(await this.json(`r${run}.where`), item, features) : null;
  }

  /** @type {Source['names']} */
  async names(run) {
    return this.name_store.of(run);
  }

  /** @type {Source['where_names_are']} */
  where_names_are() {
    return this.keeps ? 'Kept in this browser; download the names to pass them on.' : 'This browser keeps nothing for this file: download the names before you close it.';
  }

  /** @type {Source['rename']} */
  async rename(run, feature, label, expected) {
    const present = this.name_store.of(run)[feature] ?? { name: '', note: '' };
    if (!same_label(present, expected) && !same_label(present, label)) return present;
    this.keeps = this.name_store.set(run, feature, label);
    return null;
  }
}
