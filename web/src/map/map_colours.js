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
  return { colours: Uint32Array.from(labels, colour), order, most: 0 };
}

/** A pixel for each item by how strongly a feature fires on it, the strongest painted last. @param {Float32Array} values */
export function by_activation(values) {
  const [pale, low, high] = ['--map-pale', '--map-low', '--map-high'].map(theme_colour);
  const colours = ramp(low, high, kSteps).map(pixel);
  const silent = pixel(pale);
  let most = 0;
  for (const value of values) most = Math.max(most, value);
  const order = Uint32Array.from(values.keys()).sort((x, y) => values[x] - values[y] || x - y);
  const shade = (/** @type {number} */ value) => (value > 0 ? colours[Math.min(kSteps - 1, Math.floor((value / most) * kSteps))] : silent);
  return { colours: Uint32Array.from(values, shade), order, most };
}
