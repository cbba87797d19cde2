// Colours of classes, the same in every chart: ten that are told apart easily, then turning hues.

const kTen = ['#4269d0', '#e6902e', '#d6463f', '#3fa8a0', '#3a9440', '#d66ba0', '#8d63c9', '#8a6246', '#7d8ba3', '#b3a125'];

/** @param {number} value */
const to_hex = (value) => Math.round(value * 255).toString(16).padStart(2, '0');

/** @param {number} at */
function turned(at) {
  const hue = (at * 137.508) % 360;
  const light = at % 2 ? 0.7 : 0.36; // unlike the ten, which are in between
  const channel = (/** @type {number} */ shift) => {
    const k = (shift + hue / 30) % 12;
    return light - 0.55 * Math.min(light, 1 - light) * Math.max(-1, Math.min(k - 3, 9 - k, 1));
  };
  return `#${to_hex(channel(0))}${to_hex(channel(8))}${to_hex(channel(4))}`;
}

export const kUnknownColour = '#8b93a1';

/** @param {number|null} label @returns {string} #rrggbb */
export function class_colour(label) {
  if (label === null || label < 0) return kUnknownColour;
  return kTen[label] ?? turned(label);
}

/** #rrggbb as the bytes of a pixel in an ImageData seen as Uint32Array (little endian). @param {string} colour */
export function pixel(colour) {
  const value = parseInt(colour.slice(1), 16);
  return (0xff000000 | ((value & 255) << 16) | (value & 0xff00) | (value >> 16)) >>> 0;
}

/** From `low` to `high` (both #rrggbb) in `steps` colours. @param {string} low @param {string} high @param {number} steps */
export function ramp(low, high, steps) {
  const [from, to] = [low, high].map((colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)));
  return Array.from({ length: steps }, (_, step) => {
    const share = step / (steps - 1);
    return `#${from.map((value, at) => to_hex((value + (to[at] - value) * share) / 255)).join('')}`;
  });
}

/** A colour of the page's theme, as #rrggbb. @param {string} name */
export const theme_colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
