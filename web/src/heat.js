// Where in a picture a value comes from, as colours over the picture: red adds to it, blue takes from it.

/**
 * @typedef {import('./source/contract.js').Where} Where
 * @typedef {import('./source/contract.js').HeatMap} HeatMap
 * @typedef {[number, number, number, number]} Box  left, top, width and height, in shares
 */

const kMostColour = 0.8; // so that the picture is seen through the strongest part
const kFaded = 0.75; // of the picture's own colour that goes
const kUnseen = 0.4;
const kAdds = [226, 32, 26];
const kTakes = [30, 90, 226];

/** @param {number} x @param {number} most */
const limited = (x, most) => Math.min(Math.max(x, 0), most);

/** The map at a place in cells, (0, 0) being the middle of the first: linear between the four middles around it. @param {Float32Array} parts @param {number} rows @param {number} cols @param {number} row @param {number} col */
export function between(parts, rows, cols, row, col) {
  const y = limited(row, rows - 1);
  const x = limited(col, cols - 1);
  const [r, c] = [Math.floor(y), Math.floor(x)];
  const [below, right] = [Math.min(r + 1, rows - 1), Math.min(c + 1, cols - 1)];
  const at = (/** @type {number} */ i, /** @type {number} */ j) => parts[i * cols + j];
  const upper = at(r, c) + (at(r, right) - at(r, c)) * (x - c);
  const lower = at(below, c) + (at(below, right) - at(below, c)) * (x - c);
  return upper + (lower - upper) * (y - r);
}

/**
 * Where the network's part of a picture lies on a tile on which the picture is centred, in shares of the tile.
 * @param {Where} where @param {number} width @param {number} height @param {boolean} enlarged  whether small pictures fill the tile
 * @returns {Box}
 */
export function box_on_tile({ box, picture }, width, height, enlarged) {
  if (!picture) return box;
  const fit = Math.min(width / picture[0], height / picture[1], enlarged ? Infinity : 1);
  const [across, down] = [(picture[0] * fit) / width, (picture[1] * fit) / height];
  return [(1 - across) / 2 + box[0] * across, (1 - down) / 2 + box[1] * down, box[2] * across, box[3] * down];
}

/** Of a map. @param {Float32Array} parts */
export const largest_part = (parts) => parts.reduce((most, part) => Math.max(most, Math.abs(part)), 1e-12);

/** What the full colour is for: the size that 15 in 1000 parts exceed, so that a single pixel does not leave all others pale. @param {Float32Array} parts */
export function strong_part(parts) {
  const sizes = Float32Array.from(parts, Math.abs).sort().reverse();
  return sizes[Math.floor((sizes.length * 15) / 1000)] || largest_part(parts);
}

/** What all places add. @param {Float32Array} parts */
export const sum_of_parts = (parts) => parts.reduce((sum, part) => sum + part, 0);

/**
 * Colours pixels (RGBA, row by row) by a map.
 * @param {Uint8ClampedArray} pixels @param {number} width @param {number} height @param {[number, number]} grid @param {Box} box @param {Float32Array} parts
 */
export function tint(pixels, width, height, [rows, cols], [left, top, across, down], parts) {
  const strong = strong_part(parts);
  for (let y = 0, at = 0; y < height; ++y) {
    const v = ((y + 0.5) / height - top) / down;
    for (let x = 0; x < width; ++x, at += 4) {
      const u = ((x + 0.5) / width - left) / across;
      const seen = u >= 0 && u <= 1 && v >= 0 && v <= 1;
      const part = seen ? between(parts, rows, cols, v * rows - 0.5, u * cols - 0.5) / strong : 0;
      const strength = kMostColour * Math.min(Math.abs(part), 1);
      const light = 0.299 * pixels[at] + 0.587 * pixels[at + 1] + 0.114 * pixels[at + 2];
      for (let c = 0; c < 3; ++c) {
        const own = seen ? pixels[at + c] + (light - pixels[at + c]) * kFaded : pixels[at + c] * kUnseen;
        pixels[at + c] = own + ((part < 0 ? kTakes : kAdds)[c] - own) * strength;
      }
    }
  }
}

/** How a map was made, in words. @param {Where} where */
export const method_words = ({ method, grid, sound }) =>
  method === 'additive'
    ? `Parts that add up, in ${grid[0]} x ${grid[1]} cells: they and what a plain ${sound ? 'spectrogram of the same middle loudness' : 'picture of the same middle colour'} has make the value, before it is cut at zero. Each place of the last layer has its exact part, shared out to the pixels by what they did to it; where it is like the plain one there is none.`
    : `By covering: how far it falls when one of ${grid[0]} x ${grid[1]} places is covered. These do not add up.`;
