import { as_array, from_base64 } from './bytes.js';
import { Strips } from './strips.js';

/** The server of `orthant explore`. */
export class LiveSource {
  live = true;

  constructor(base = '/api/v1') {
    this.base = base;
    this.token = new URLSearchParams(location.search).get('token');
    this.kept = new Map();
    this.strips = new Strips((path) => this.request(path).then((answer) => answer.blob()));
  }

  async request(path, options = {}) {
    const headers = { ...options.headers };
    if (this.token) headers.Authorization = `Bearer ${this.token}`;
    let answer;
    try {
      answer = await fetch(this.base + path, { ...options, headers });
    } catch {
      throw new Error('The server does not answer. Is `orthant explore` still running?');
    }
    if (answer.ok) return answer;
    let line = `The server answered ${answer.status}.`;
    try {
      line = (await answer.json()).error ?? line;
    } catch {
      // The status says it all.
    }
    throw new Error(line);
  }

  json(path, options) {
    return this.request(path, options).then((answer) => answer.json());
  }

  /** Asked once; asked again after a failure. */
  once(path) {
    if (!this.kept.has(path)) {
      const answer = this.json(path);
      this.kept.set(path, answer);
      answer.catch(() => this.kept.delete(path));
    }
    return this.kept.get(path);
  }

  overview() {
    return this.once('/overview');
  }

  async features(run) {
    return (await this.once(`/runs/${run}/features`)).features;
  }

  feature(run, feature) {
    return this.json(`/runs/${run}/features/${feature}`);
  }

  items(run, { offset, limit, class: wanted = null }) {
    const filter = wanted === null ? '' : `&class=${wanted}`;
    return this.json(`/runs/${run}/items?offset=${offset}&limit=${limit}${filter}`);
  }

  item(run, item) {
    return this.json(`/runs/${run}/items/${item}`);
  }

  explain(run, a, b) {
    return this.json(`/runs/${run}/explain?a=${a}&b=${b}`);
  }

  async map(run, layout) {
    return as_array(from_base64((await this.once(`/runs/${run}/map/${layout}`)).points), Float32Array);
  }

  async activations(run, feature) {
    return as_array(from_base64((await this.json(`/runs/${run}/activations/${feature}`)).values), Float32Array);
  }

  async labels() {
    return as_array(from_base64((await this.once('/labels')).labels), Int32Array);
  }

  picture(item) {
    return this.strips.picture(item);
  }

  compare(a, b) {
    return this.once(`/compare?a=${a}&b=${b}`);
  }

  /** The item of this id, looked for page by page, or else of this row. */
  async find(text) {
    const { data } = await this.overview();
    for (let offset = 0; offset < data.items; ) {
      const { items } = await this.once(`/runs/0/items?offset=${offset}&limit=1000`);
      const found = items.find((item) => item.id === text);
      if (found) return found.item;
      if (items.length === 0) break;
      offset += items.length;
    }
    return /^\d+$/.test(text) && Number(text) < data.items ? Number(text) : null;
  }

  async names(run) {
    const named = (await this.features(run)).filter((feature) => feature.name || feature.note);
    return Object.fromEntries(named.map(({ feature, name, note }) => [feature, { name, note }]));
  }

  async rename(run, feature, label) {
    await this.json(`/runs/${run}/features/${feature}/label`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(label),
    });
    this.kept.delete(`/runs/${run}/features`);
  }

  embed(run, file) {
    return this.json(`/runs/${run}/embed`, {
      method: 'POST',
      headers: { 'Content-Type': file.type || 'application/octet-stream' },
      body: file,
    });
  }
}
