/** Letters A to Z as a to z, and no others. @param {string} text */
const lower = (text) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/**
 * What is known of the items.
 * @typedef {object} Known
 * @property {number} items
 * @property {Map<number, Float32Array>} columns  by feature
 * @property {Int32Array} labels  -1: unknown
 * @property {string[]} ids
 */

/** @type {Record<string, (column: Float32Array, value: number, mask: Uint8Array) => void>} */
const kCompare = {
  '>': (column, value, mask) => { for (let i = 0; i < mask.length; ++i) mask[i] = Number(column[i] > value); },
  '>=': (column, value, mask) => { for (let i = 0; i < mask.length; ++i) mask[i] = Number(column[i] >= value); },
  '<': (column, value, mask) => { for (let i = 0; i < mask.length; ++i) mask[i] = Number(column[i] < value); },
  '<=': (column, value, mask) => { for (let i = 0; i < mask.length; ++i) mask[i] = Number(column[i] <= value); },
};

/**
 * Which items a filter leaves: 1 or 0 for each.
 * @param {import('./filter.js').Filter} filter
 * @param {Known} known
 * @returns {Uint8Array}
 */
export function evaluate(filter, known) {
  if (filter.kind === 'and' || filter.kind === 'or') {
    const [mask, ...others] = filter.parts.map((part) => evaluate(part, known));
    for (const other of others) {
      if (filter.kind === 'and') for (let i = 0; i < mask.length; ++i) mask[i] &= other[i];
      else for (let i = 0; i < mask.length; ++i) mask[i] |= other[i];
    }
    return mask;
  }
  if (filter.kind === 'not') {
    const mask = evaluate(filter.part, known);
    for (let i = 0; i < mask.length; ++i) mask[i] ^= 1;
    return mask;
  }
  const mask = new Uint8Array(known.items);
  if (filter.kind === 'feature') {
    kCompare[filter.sign](/** @type {Float32Array} */ (known.columns.get(filter.feature)), filter.value, mask);
  } else if (filter.kind === 'class') {
    for (let i = 0; i < mask.length; ++i) mask[i] = Number((known.labels[i] === filter.label) === filter.same);
  } else if (filter.whole) {
    for (let i = 0; i < mask.length; ++i) mask[i] = Number(known.ids[i] === filter.text);
  } else {
    const part = lower(filter.text);
    for (let i = 0; i < mask.length; ++i) mask[i] = Number(lower(known.ids[i]).includes(part));
  }
  return mask;
}
