import { kFiring } from '../source/sparse_rows.js';
import { class_colour, kUnknownColour, pixel, ramp, theme_colour } from '../chart/colours.js';

const kSteps = 64;

/**
 * A pixel for each item by its class; with `only`, the other classes are pale.
 * @param {Int32Array} labels
 * @param {number|null} only
 */
export function by_class(labels, only = null) {
  const pale = pixel(theme_colour('--map-pale'));
  /** @type {Map<number, number>} */
  const known = new Map();
  const colour = (/** @type {number} */ label) => {
    if (only !== null && label !== only) return pale;
    const shade = known.get(label) ?? pixel(label < 0 ? kUnknownColour : class_colour(label));
    known.set(label, shade);
    return shade;
  };
  const chosen = (/** @type {number} */ item) => Number(labels[item] === only);
  const order = only === null ? null : Uint32Array.from(labels.keys()).sort((x, y) => chosen(x) - chosen(y) || x - y);
  return { colours: Uint32Array.from(labels, colour), order, most: 0, least: 0 };
}

/**
 * A pixel for each item by how strongly a feature fires on it, the strongest painted last: shades of one colour where
 * it is positive, of another where it is negative, with the same strength at the same distance from zero.
 * @param {Float32Array} values
 */
export function by_activation(values) {
  const shades = (/** @type {string[]} */ names) => {
    const [low, high] = names.map(theme_colour);
    return ramp(low, high, kSteps).map(pixel);
  };
  const [above, below] = [shades(['--map-low', '--map-high']), shades(['--map-low-negative', '--map-high-negative'])];
  const silent = pixel(theme_colour('--map-pale'));
  let [most, least] = [0, 0];
  for (const value of values) [most, least] = [Math.max(most, value), Math.min(least, value)];
  const largest = Math.max(most, -least);
  const order = Uint32Array.from(values.keys()).sort((x, y) => Math.abs(values[x]) - Math.abs(values[y]) || x - y);
  const shade = (/** @type {number} */ value) => {
    if (Math.abs(value) <= kFiring) return silent;
    return (value > 0 ? above : below)[Math.min(kSteps - 1, Math.floor((Math.abs(value) / largest) * kSteps))];
  };
  return { colours: Uint32Array.from(values, shade), order, most, least };
}
