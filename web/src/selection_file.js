// A selection as a file: CSV or JSON, written and read back.

export const kSelectionFormat = 'orthant.selection.1';
const kChunk = 1000; // rows asked for at once
export const kLargestFile = 200e6; // bytes

/**
 * @typedef {object} SelectedItem
 * @property {number} item
 * @property {string} id
 * @property {number|null} label
 * @property {string|null} class
 * @property {Record<string, number>} features  by number, those that are not zero
 */

/**
 * What is known of some items.
 * @param {import('./context.js').PageParts} page
 * @param {number} run
 * @param {number[]} items
 * @returns {Promise<SelectedItem[]>}
 */
export async function selected_items({ source, overview }, run, items) {
  const [ids, labels] = [await source.ids(), await source.labels()];
  /** @type {SelectedItem[]} */
  const list = [];
  for (let from = 0; from < items.length; from += kChunk) {
    const some = items.slice(from, from + kChunk);
    const rows = await source.rows_of(run, some);
    some.forEach((item, at) => {
      const label = labels[item] >= 0 ? labels[item] : null;
      const features = Object.fromEntries(rows.all(at).map(({ feature, value }) => [feature, shortest(value)]));
      list.push({ item, id: ids[item], label, class: label === null ? null : (overview.data.classes[label] ?? null), features });
    });
  }
  return list;
}

/** A float32 in as few digits as give the same again. @param {number} value */
function shortest(value) {
  for (let digits = 1; digits < 9; ++digits) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(9));
}

/** @param {string|number|null} value */
function cell(value) {
  const text = value === null ? '' : String(value);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line for each item: number, id, label, class, and a column for each feature that any of them has. @param {SelectedItem[]} items */
export function as_csv(items) {
  const features = [...new Set(items.flatMap((item) => Object.keys(item.features)))].sort((x, y) => Number(x) - Number(y));
  const lines = [['item', 'id', 'label', 'class', ...features.map((feature) => `f${feature}`)]];
  for (const one of items) lines.push([one.item, one.id, one.label, one.class, ...features.map((feature) => one.features[feature] ?? 0)].map(cell));
  return lines.map((line) => `${line.join(',')}\r\n`).join('');
}

/**
 * @param {import('./context.js').PageParts} page
 * @param {number} run
 * @param {string} filter
 * @param {SelectedItem[]} items
 */
export function as_json({ overview, names }, run, filter, items) {
  const { data, runs } = overview;
  const named = Object.fromEntries(Object.entries(names.document(run).features).flatMap(([feature, { name }]) => (name ? [[feature, name]] : [])));
  return JSON.stringify({ format: kSelectionFormat, data: data.spec, split: data.split, run: runs[run].name, filter, names: named, items });
}

/** The fields of every line of CSV text. @param {string} text @returns {string[][]} */
export function parse_csv(text) {
  /** @type {string[][]} */
  const lines = [];
  let line = [];
  for (let at = 0; at < text.length; ) {
    let field = '';
    if (text[at] === '"') {
      for (++at; ; ++at) {
        if (at >= text.length) throw new Error('Expected a closing " in the CSV file, got its end.');
        if (text[at] === '"' && text[at + 1] !== '"') break;
        if (text[at] === '"') ++at;
        field += text[at];
      }
      ++at;
    } else {
      const end = /[,\r\n]|$/g;
      end.lastIndex = at;
      const stop = end.exec(text)?.index ?? text.length;
      field = text.slice(at, stop);
      at = stop;
    }
    line.push(field);
    if (text[at] === ',') {
      if (++at >= text.length) line.push('');
      continue;
    }
    if (text[at] === '\r') ++at;
    if (text[at] === '\n') ++at;
    if (line.length > 1 || line[0] !== '') lines.push(line);
    line = [];
  }
  if (line.length > 0) lines.push(line);
  return lines;
}

/** Number and id of the items of a file; either may be missing. @param {string} text @returns {{item: number|null, id: string|null}[]} */
export function read_items(text) {
  const whole = (/** @type {unknown} */ value) => (/^\d+$/.test(String(value ?? '')) ? Number(value) : null);
  if (/^\uFEFF?\s*[{[]/.test(text)) {
    /** @type {{format?: unknown, items?: unknown}|null} */
    let document = null;
    try {
      document = JSON.parse(text.replace(/^\uFEFF/, ''));
    } catch {
      throw new Error('Expected a selection as JSON, got text that is none.');
    }
    if (document?.format !== kSelectionFormat || !Array.isArray(document.items)) throw new Error(`Expected a selection with "format": "${kSelectionFormat}" and a list of items, got another document.`);
    return document.items.map((one) => ({ item: whole(one?.item), id: typeof one?.id === 'string' ? one.id : null }));
  }
  const [header = [], ...lines] = parse_csv(text.replace(/^\uFEFF/, ''));
  const names = header.map((name) => name.trim().toLowerCase());
  const [item, id] = [names.indexOf('item'), names.indexOf('id')];
  if (item < 0 && id < 0) throw new Error('Expected a CSV file whose first line names a column "id" or "item", got none.');
  return lines.map((line) => ({ item: item < 0 ? null : whole(line[item]), id: id < 0 ? null : (line[id] ?? '') }));
}

/**
 * The items that are meant: by id, since numbers change with the data; by number where there is no id.
 * @param {{item: number|null, id: string|null}[]} wanted
 * @param {string[]} ids  of all items
 * @returns {{items: number[], missing: number}}
 */
export function find_items(wanted, ids) {
  /** @type {Map<string, number>} */
  const by_id = new Map();
  ids.forEach((id, item) => !by_id.has(id) && by_id.set(id, item));
  const find = (/** @type {{item: number|null, id: string|null}} */ { item, id }) => {
    if (id === null) return item !== null && item < ids.length ? item : undefined;
    return item !== null && ids[item] === id ? item : by_id.get(id);
  };
  const items = wanted.map(find);
  const found = items.filter((item) => item !== undefined);
  return { items: found, missing: items.length - found.length };
}

/** Picks the items of a file. @param {import('./context.js').PageParts} page @param {File} file @returns {Promise<string>} what became of it, in words */
export async function take_selection({ source, picked }, file) {
  if (file.size > kLargestFile) throw new Error(`Expected a file of at most ${kLargestFile / 1e6} MB, got ${(file.size / 1e6).toFixed(0)} MB.`);
  const wanted = read_items(await file.text());
  const { items, missing } = find_items(wanted, await source.ids());
  if (items.length === 0) throw new Error(`Expected items of this page, got ${wanted.length} that are not here.`);
  picked.take(items);
  return `Picked ${picked.count.toLocaleString('en-US')} items of the file${missing ? `; ${missing.toLocaleString('en-US')} of it are not here` : ''}.`;
}
