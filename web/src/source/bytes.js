// From base64 and gzip, as the data is embedded or sent, to typed arrays.

/** @typedef {Uint8Array<ArrayBuffer>} Bytes */

/** @param {string} text @returns {Bytes} */
export function from_base64(text) {
  if ('fromBase64' in Uint8Array) return /** @type {{fromBase64: (text: string) => Uint8Array<ArrayBuffer>}} */ (Uint8Array).fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** @param {Bytes} bytes @returns {Promise<Bytes>} */
export async function gunzip(bytes) {
  if (typeof DecompressionStream === 'undefined') {
    throw new Error('This browser cannot unpack gzip (DecompressionStream): use one from 2023 or later.');
  }
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * @template T
 * @param {Bytes} bytes
 * @param {{BYTES_PER_ELEMENT: number, new (buffer: ArrayBuffer, offset?: number, length?: number): T}} Type
 * @returns {T}
 */
export function as_array(bytes, Type) {
  const size = Type.BYTES_PER_ELEMENT;
  if (bytes.byteLength % size !== 0) throw new Error('The data of this page is damaged: an array ends half-way.');
  if (bytes.byteOffset % size === 0) return new Type(bytes.buffer, bytes.byteOffset, bytes.byteLength / size);
  return new Type(bytes.slice().buffer);
}

/** Every 16-bit float as float32, so that decoding is one look-up. */
function half_table() {
  const table = new Float32Array(65536);
  for (let bits = 0; bits < 65536; ++bits) {
    const sign = bits & 0x8000 ? -1 : 1;
    const exponent = (bits >> 10) & 31;
    const fraction = bits & 1023;
    if (exponent === 0) table[bits] = sign * fraction * 2 ** -24;
    else if (exponent === 31) table[bits] = fraction ? NaN : sign * Infinity;
    else table[bits] = sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
  }
  return table;
}

/** @type {Float32Array|null} */
let halves = null;

/** @param {Bytes} bytes of 16-bit floats @param {number} scale  a power of two @returns {Float32Array} */
export function from_half(bytes, scale = 1) {
  const table = (halves ??= half_table());
  const bits = as_array(bytes, Uint16Array);
  const values = new Float32Array(bits.length);
  for (let i = 0; i < bits.length; ++i) values[i] = table[bits[i]] * scale;
  return values;
}
