import { as_array, from_base64 } from './bytes.js';
import { find_item } from './find_item.js';
import { SparseRows } from './sparse_rows.js';
import { Strips } from './strips.js';
import { read_where } from './where.js';

/** @typedef {import('./where.js').SentWhere} SentWhere */

const kMostColumns = 32; // of features, kept: filters and weights ask for the same ones again

/** What the server does not do, in its words. */
class Refusal extends Error {
  /** @param {number} status @param {{error?: string}} answer */
  constructor(status, answer) {
    super(answer.error ?? `The server answered ${status}.`);
    this.status = status;
    this.answer = answer;
  }
}

/**
 * The server of `orthant explore`.
 * @implements {Source}
 * @typedef {import('./contract.js').Source} Source
 */
export class LiveSource {
  live = true;

  constructor(base = '/api/v1') {
    this.base = base;
    this.token = new URLSearchParams(location.search).get('token');
    /** @type {Map<string, Promise<unknown>>} */
    this.kept = new Map();
    /** @type {Promise<unknown>} */
    this.last_where = Promise.resolve();
    /** @type {Map<string, Float32Array>} */
    this.columns = new Map();
    this.strips = new Strips((path) => this.request(path).then((answer) => answer.blob()));
  }

  /** @param {string} path @param {RequestInit & {headers?: Record<string, string>}} options */
  async request(path, options = {}) {
    /** @type {Record<string, string>} */
    const headers = { ...options.headers };
    if (this.token) headers.Authorization = `Bearer ${this.token}`;
    let answer;
    try {
      answer = await fetch(this.base + path, { ...options, headers });
    } catch {
      throw new Error('The server does not answer. Is `orthant explore` still running?');
    }
    if (answer.ok) return answer;
    throw new Refusal(answer.status, await answer.json().catch(() => ({})));
  }

  /** @template T @param {string} path @param {RequestInit & {headers?: Record<string, string>}} [options] @returns {Promise<T>} */
  json(path, options) {
    return this.request(path, options).then((answer) => answer.json());
  }

  /** Asked once; asked again after a failure. @template T @param {string} path @returns {Promise<T>} */
  once(path) {
    const known = this.kept.get(path);
    if (known) return /** @type {Promise<T>} */ (known);
    /** @type {Promise<T>} */
    const answer = this.json(path);
    this.kept.set(path, answer);
    answer.catch(() => this.kept.delete(path));
    return answer;
  }

  /** @type {Source['overview']} */
  overview() {
    return this.once('/overview');
  }

  /** @type {Source['features']} */
  async features(run) {
    /** @type {{features: import('./contract.js').Feature[]}} */
    const { features } = await this.once(`/runs/${run}/features`);
    return features;
  }

  /** @type {Source['feature']} */
  feature(run, feature) {
    return this.json(`/runs/${run}/features/${feature}`);
  }

  /** @type {Source['items']} */
  items(run, { offset, limit, class: wanted = null }) {
    const filter = wanted === null ? '' : `&class=${wanted}`;
    return this.json(`/runs/${run}/items?offset=${offset}&limit=${limit}${filter}`);
  }

  /** @type {Source['item']} */
  item(run, item) {
    return this.json(`/runs/${run}/items/${item}`);
  }

  /** @type {Source['explain']} */
  explain(run, a, b) {
    return this.json(`/runs/${run}/explain?a=${a}&b=${b}`);
  }

  /** @type {Source['clean']} */
  clean(run) {
    return this.once(`/runs/${run}/clean`);
  }

  /** @type {Source['map']} */
  async map(run, layout) {
    /** @type {{points: string}} */
    const { points } = await this.once(`/runs/${run}/map/${layout}`);
    return as_array(from_base64(points), Float32Array);
  }

  /** @type {Source['activations']} */
  async activations(run, feature) {
    const path = `/runs/${run}/activations/${feature}`;
    const known = this.columns.get(path);
    if (known) return known;
    /** @type {{values: string}} */
    const { values } = await this.json(path);
    const column = as_array(from_base64(values), Float32Array);
    this.columns.set(path, column);
    const [oldest] = this.columns.keys();
    if (this.columns.size > kMostColumns) this.columns.delete(oldest);
    return column;
  }

  /** @type {Source['contrast']} */
  contrast(run, chosen) {
    const bits = new Uint8Array(Math.ceil(chosen.length / 8));
    for (let item = 0; item < chosen.length; ++item) if (chosen[item]) bits[item >> 3] |= 1 << (item & 7);
    return this.json(`/runs/${run}/contrast`, { method: 'POST', headers: { 'Content-Type': 'application/octet-stream' }, body: bits });
  }

  /** @type {Source['rows_of']} */
  async rows_of(run, items) {
    if (items.length === 0) return new SparseRows(new Uint32Array(1), new Uint32Array(0), new Float32Array(0));
    /** @type {{indptr: string, indices: string, values: string}} */
    const { indptr, indices, values } = await this.json(`/runs/${run}/rows`, { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: items.join(',') });
    return new SparseRows(as_array(from_base64(indptr), Uint32Array), as_array(from_base64(indices), Uint32Array), as_array(from_base64(values), Float32Array));
  }

  /** @type {Source['changed']} */
  changed(run, item, changes) {
    const list = (/** @type {number[]} */ values) => encodeURIComponent(values.join(','));
    return this.json(`/runs/${run}/items/${item}/changed?features=${list(changes.map(({ feature }) => feature))}&values=${list(changes.map(({ value }) => value))}`);
  }

  /** @type {Source['vote']} */
  vote(run) {
    return this.once(`/runs/${run}/vote`);
  }

  /** @type {Source['labels']} */
  async labels() {
    /** @type {{labels: string}} */
    const { labels } = await this.once('/labels');
    return as_array(from_base64(labels), Int32Array);
  }

  /** @type {Source['ids']} */
  async ids() {
    /** @type {{ids: string[]}} */
    const { ids } = await this.once('/ids');
    return ids;
  }

  /** @type {Source['texts']} */
  async texts() {
    /** @type {{texts: string[]}} */
    const { texts } = await this.once('/texts');
    return texts;
  }

  /** @type {Source['picture']} */
  picture(item) {
    return this.strips.picture(item);
  }

  /** @type {Source['has_sound']} */
  has_sound() {
    return true;
  }

  /** @type {Source['sound']} */
  sound(item) {
    const path = `/items/${item}/sound`;
    const known = this.kept.get(path);
    if (known) return /** @type {Promise<string>} */ (known);
    const made = this.request(path).then((answer) => answer.blob()).then((blob) => URL.createObjectURL(blob));
    this.kept.set(path, made);
    made.catch(() => this.kept.delete(path));
    return made;
  }

  /** @type {Source['has_where']} */
  has_where(run) {
    return run.queries.includes('picture') || run.queries.includes('sound');
  }

  /** One after the other: the server has one process that makes maps. @type {Source['where']} */
  where(run, item, { features, with: other }) {
    const query = [features.length > 0 ? `features=${features.join(',')}` : '', other === undefined ? '' : `with=${other}`].filter(Boolean).join('&');
    const path = `/runs/${run}/items/${item}/where?${query}`;
    const answer = this.last_where.then(() => this.once(path)).then((document) => read_where(/** @type {SentWhere} */ (document)));
    this.last_where = answer.catch(() => {});
    return answer;
  }

  /** @type {Source['compare']} */
  compare(a, b) {
    return this.once(`/compare?a=${a}&b=${b}`);
  }

  /** @type {Source['find']} */
  async find(text) {
    return find_item(await this.ids(), text);
  }

  /** @type {Source['names']} */
  async names(run) {
    /** @type {{features: Record<string, import('./contract.js').Label>}} */
    const { features } = await this.json(`/runs/${run}/names`);
    return features;
  }

  /** @type {Source['where_names_are']} */
  where_names_are() {
    return 'Saved beside the run.';
  }

  /** @type {Source['rename']} */
  async rename(run, feature, label, expected) {
    try {
      await this.json(`/runs/${run}/features/${feature}/label`, {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ ...label, expected }),
      });
      return null;
    } catch (error) {
      if (error instanceof Refusal && error.status === 409) return /** @type {{label: import('./contract.js').Label}} */ (error.answer).label;
      throw error;
    }
  }

  /** @param {number} run @param {string} text @param {number} [item] @returns {Promise<import('./contract.js').OwnItem>} */
  ask(run, text, item) {
    return this.json(`/runs/${run}/text${item === undefined ? '' : `?with=${item}`}`, {
      method: 'POST',
      headers: { 'Content-Type': 'text/plain; charset=utf-8' },
      body: text,
    });
  }

  /** @param {number} run @param {File} file @param {number} [item] @returns {Promise<import('./contract.js').OwnItem>} */
  embed(run, file, item) {
    return this.json(`/runs/${run}/embed${item === undefined ? '' : `?with=${item}`}`, {
      method: 'POST',
      headers: { 'Content-Type': file.type || 'application/octet-stream' },
      body: file,
    });
  }
}
