// NumPy arrays for the tests of the built program: .npz files without compression are read, .npy files are written.
import { readFileSync, writeFileSync } from 'node:fs';

const kTypes = { '|u1': Uint8Array, '<i4': Int32Array, '<i8': BigInt64Array, '<f4': Float32Array, '<f8': Float64Array };

/** @param {Buffer} bytes @returns {{shape: number[], values: ArrayLike<number>|BigInt64Array}} */
function parse_npy(bytes) {
  const wide = bytes[6] > 1;
  const start = wide ? 12 : 10;
  const end = start + (wide ? bytes.readUInt32LE(8) : bytes.readUInt16LE(8));
  const header = bytes.toString('latin1', start, end);
  const shape = /'shape': \(([^)]*)\)/.exec(header)[1].split(',').filter((part) => part.trim()).map(Number);
  const Type = kTypes[/'descr': '([^']*)'/.exec(header)[1]];
  return { shape, values: new Type(Uint8Array.from(bytes.subarray(end)).buffer) };
}

/** The arrays of a .npz file by name. */
export function read_npz(path) {
  const bytes = readFileSync(path);
  const arrays = {};
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  for (let at = bytes.readUInt32LE(end + 16), left = bytes.readUInt16LE(end + 10); left > 0; --left) {
    const [size, name_size, extra, comment, local] = [bytes.readUInt32LE(at + 24), bytes.readUInt16LE(at + 28), bytes.readUInt16LE(at + 30), bytes.readUInt16LE(at + 32), bytes.readUInt32LE(at + 42)];
    const name = bytes.toString('utf8', at + 46, at + 46 + name_size);
    const data = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    arrays[name.replace(/\.npy$/, '')] = parse_npy(bytes.subarray(data, data + size));
    at += 46 + name_size + extra + comment;
  }
  return arrays;
}

/** @param {number[]} shape @param {Float32Array} values */
export function write_npy(path, shape, values) {
  const text = `{'descr': '<f4', 'fortran_order': False, 'shape': (${shape.join(', ')},), }`;
  const header = text + ' '.repeat(63 - ((10 + text.length) % 64)) + '\n';
  const start = Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, header.length & 255, header.length >> 8]);
  writeFileSync(path, Buffer.concat([start, Buffer.from(header, 'latin1'), Buffer.from(values.buffer, values.byteOffset, values.byteLength)]));
}
