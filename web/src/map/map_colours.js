import { kFiring } from '../source/sparse_rows.js';
import { class_colour, kUnknownColour, pixel, ramp, theme_colour } from '../chart/colours.js';

const kSteps = 64;

/**
 * @typedef {object} Paint
 * @property {Uint32Array} colours  a pixel for each item
 * @property {Uint8Array|null} ranks  the highest are painted last; null: all are equal
 * @property {number} most
 * @property {number} least
 */

/**
 * A pixel for each item by its class; with `only`, the other classes are pale, and what `mask` leaves out is dim.
 * @param {Int32Array} labels
 * @param {number|null} only
 * @param {Uint8Array|null} mask
 * @returns {Paint}
 */
export function by_class(labels, only = null, mask = null) {
  const [pale, dim] = [pixel(theme_colour('--map-pale')), pixel(theme_colour('--map-dim'))];
  /** @type {Map<number, number>} */
  const known = new Map();
  const colour = (/** @type {number} */ label) => {
    if (only !== null && label !== only) return pale;
    const shade = known.get(label) ?? pixel(label < 0 ? kUnknownColour : class_colour(label));
    known.set(label, shade);
    return shade;
  };
  const colours = Uint32Array.from(labels, (label, item) => (mask && !mask[item] ? dim : colour(label)));
  const rank = (/** @type {number} */ label, /** @type {number} */ item) => (mask && !mask[item] ? 0 : only === null || label === only ? 2 : 1);
  const ranks = only === null && !mask ? null : Uint8Array.from(labels, rank);
  return { colours, ranks, most: 0, least: 0 };
}

/**
 * A pixel for each item by how strongly a feature fires on it, the strongest painted last: shades of one colour where
 * it is positive, of another where it is negative, with the same strength at the same distance from zero. What `mask`
 * leaves out is dim.
 * @param {Float32Array} values
 * @param {Uint8Array|null} mask
 * @returns {Paint}
 */
export function by_activation(values, mask = null) {
  const shades = (/** @type {string[]} */ names) => {
    const [low, high] = names.map(theme_colour);
    return ramp(low, high, kSteps).map(pixel);
  };
  const [above, below] = [shades(['--map-low', '--map-high']), shades(['--map-low-negative', '--map-high-negative'])];
  const [silent, dim] = [pixel(theme_colour('--map-pale')), pixel(theme_colour('--map-dim'))];
  let [most, least] = [0, 0];
  for (const value of values) [most, least] = [Math.max(most, value), Math.min(least, value)];
  const largest = Math.max(most, -least);
  const ranks = new Uint8Array(values.length);
  const colours = new Uint32Array(values.length);
  for (let item = 0; item < values.length; ++item) {
    const value = values[item];
    if (mask && !mask[item]) {
      colours[item] = dim;
    } else if (Math.abs(value) <= kFiring) {
      [colours[item], ranks[item]] = [silent, 1];
    } else {
      const step = Math.min(kSteps - 1, Math.floor((Math.abs(value) / largest) * kSteps));
      [colours[item], ranks[item]] = [(value > 0 ? above : below)[step], 2 + step];
    }
  }
  return { colours, ranks, most, least };
}
