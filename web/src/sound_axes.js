// What the sides of the picture of a sound stand for: time evenly, frequency evenly in mels.

/** @typedef {import('./source/contract.js').SoundAxes} SoundAxes */

/** @param {number} hz */
const mel = (hz) => 2595 * Math.log10(1 + hz / 700);

const kHz = [100, 500, 1000, 2000, 4000, 8000, 16000, 32000];

/** @param {number} hz */
export const hz_words = (hz) => (hz < 1000 ? `${hz} Hz` : `${hz / 1000} kHz`);

/** Frequencies to write beside the picture, and how far down each is, in shares of its height. @param {SoundAxes} sound */
export function hz_ticks({ hz: [low, high] }) {
  const [bottom, top] = [mel(low), mel(high)];
  return kHz.filter((hz) => hz >= low && hz <= high).map((hz) => ({ hz, down: (top - mel(hz)) / (top - bottom) }));
}

/** Times to write below it, at most five, the last with its unit, and how far right each is. @param {SoundAxes} sound */
export function time_ticks({ seconds: [begin, end] }) {
  const least = (end - begin) / 4;
  const ten = 10 ** Math.floor(Math.log10(least));
  const step = ([1, 2, 5].find((times) => times * ten >= least) ?? 10) * ten;
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const first = Math.ceil(begin / step - 1e-6);
  const count = Math.floor(end / step + 1e-6) - first + 1;
  return Array.from({ length: count }, (_, k) => {
    const at = (first + k) * step;
    return { words: `${at.toFixed(digits)}${k === count - 1 ? ' s' : ''}`, across: (at - begin) / (end - begin) };
  });
}

/** What the network heard of a sound, where that is not all of it; else nothing. @param {SoundAxes} sound */
export function heard_words({ seconds: [begin, end], seen: [from, to] }) {
  const little = 0.02;
  if (from <= begin + little && to >= end - little) return '';
  return `The network heard ${from.toFixed(2)} to ${to.toFixed(2)} s of ${(end - begin).toFixed(2)} s, the loudest stretch that it takes; the rest is dark.`;
}
