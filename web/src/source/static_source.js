import { as_array, from_base64, from_half, gunzip } from './bytes.js';
import { SparseRows } from './sparse_rows.js';
import { Sheets } from './sheets.js';
import { NameStore } from './name_store.js';

const kNeighbours = 24;

/** A report: everything is in the file, and unpacked when it is first asked for. */
export class StaticSource {
  live = false;
  /** @param {{overview: object, names: object, scales?: number[], blobs: Record<string, string>, atlas?: object}} report */
  constructor(report) {
    this.report = report;
    this.kept = new Map();
    this.name_store = new NameStore(report);
    this.sheets = new Sheets((name) => this.raw(name), () => this.atlas(), () => this.report.overview.data.picture);
  }

  /** The result of `make`, made once. */
  once(key, make) {
    if (!this.kept.has(key)) this.kept.set(key, make());
    return this.kept.get(key);
  }

  has(name) {
    return this.report.blobs?.[name] !== undefined;
  }

  raw(name) {
    const text = this.report.blobs?.[name];
    if (text === undefined) throw new Error(`This report holds no ${name}.`);
    return from_base64(text);
  }

  bytes(name) {
    return this.once(`bytes ${name}`, async () => gunzip(this.raw(name)));
  }

  json(name) {
    return this.once(`json ${name}`, async () => JSON.parse(new TextDecoder().decode(await gunzip(this.raw(name)))));
  }

  async atlas() {
    const atlas = this.report.atlas ?? this.report.blobs?.atlas;
    return typeof atlas === 'string' ? this.json('atlas') : atlas;
  }

  async overview() {
    return this.report.overview;
  }

  rows(run) {
    return this.once(`rows ${run}`, async () => {
      const [indptr, indices, values] = await Promise.all(
        ['indptr', 'indices', 'values'].map((part) => this.bytes(`r${run}.${part}`)),
      );
      const data = from_half(values, this.report.scales?.[run]);
      const narrow = indices.byteLength === 2 * data.length;
      return new SparseRows(as_array(indptr, Uint32Array), as_array(indices, narrow ? Uint16Array : Uint32Array), data);
    });
  }

  documents(run) {
    return this.json(`r${run}.features`);
  }

  features(run) {
    return this.once(`features ${run}`, async () => {
      const documents = await this.documents(run);
      return documents.map((document) => ({
        ...document,
        top: document.top.slice(0, 12).map((entry) => entry.item ?? entry),
        profile: document.profile ?? (document.classes ?? []).map((entry) => entry.share),
      }));
    });
  }

  async feature(run, feature) {
    const found = (await this.documents(run)).find((document) => document.feature === feature);
    if (!found) throw new Error(`There is no feature ${feature} in run ${run}.`);
    return found;
  }

  labels() {
    return this.once('labels', async () =>
      this.has('labels') ? as_array(await this.bytes('labels'), Int32Array) : new Int32Array(await this.count()).fill(-1),
    );
  }

  async count() {
    return (await this.rows(0)).rows;
  }

  async ids() {
    return this.has('ids') ? this.json('ids') : [];
  }

  async summary(rows, item) {
    const [labels, ids] = [await this.labels(), await this.ids()];
    return { item, id: String(ids[item] ?? item), label: labels[item] >= 0 ? labels[item] : null, active: rows.active(item) };
  }

  async items(run, { offset, limit, class: wanted = null }) {
    const rows = await this.rows(run);
    const labels = await this.labels();
    const chosen = [];
    for (let item = 0; item < rows.rows; ++item) if (wanted === null || labels[item] === wanted) chosen.push(item);
    const items = await Promise.all(chosen.slice(offset, offset + limit).map((item) => this.summary(rows, item)));
    return { total: chosen.length, items };
  }

  async item(run, item) {
    const rows = await this.rows(run);
    if (!(item >= 0 && item < rows.rows)) throw new Error(`There is no item ${item}: items are 0 to ${rows.rows - 1}.`);
    const near = as_array(await this.bytes(`r${run}.neighbours`), Int32Array);
    const width = Math.round(near.length / rows.rows) || kNeighbours;
    const neighbours = [...near.subarray(item * width, (item + 1) * width)]
      .filter((other) => other >= 0)
      .map((other) => ({ item: other, score: rows.explain(item, other).score }));
    const { id, label, active } = await this.summary(rows, item);
    return { item, id, label, active, norm: rows.norm(item), features: rows.entries(item), neighbours };
  }

  async explain(run, a, b) {
    return (await this.rows(run)).explain(a, b);
  }

  async map(run, layout) {
    const points = as_array(await this.bytes(`r${run}.map.${layout}`), Int16Array);
    return Float32Array.from(points, (value) => value / 32767);
  }

  async activations(run, feature) {
    return (await this.rows(run)).column(feature);
  }

  async compare(a, b) {
    if (this.has(`r${a}.compare.r${b}`)) return this.json(`r${a}.compare.r${b}`);
    const turned = await this.json(`r${b}.compare.r${a}`);
    return { ...turned, a, b, pairs: turned.pairs.map((pair) => ({ ...pair, a: pair.b, b: pair.a })) };
  }

  async find(text) {
    const at = (await this.ids()).findIndex((id) => String(id) === text);
    if (at >= 0) return at;
    return /^\d+$/.test(text) && Number(text) < (await this.count()) ? Number(text) : null;
  }

  picture(item) {
    return this.sheets.picture(item);
  }

  async names(run) {
    return this.name_store.of(run);
  }

  async rename(run, feature, label) {
    this.name_store.set(run, feature, label);
  }
}
