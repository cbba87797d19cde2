// Numbers as text.

const kNone = '–';

/** @type {(value: unknown) => value is number} */
export const is_number = (value) => typeof value === 'number' && Number.isFinite(value);

/** A number of a document: null and undefined are "not defined". @typedef {number|null|undefined} MaybeNumber */

/** Three significant digits or so, without an exponent where that is readable. @param {MaybeNumber} value */
export function number(value, digits = 3) {
  if (!is_number(value)) return kNone;
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (Number.isInteger(value)) return value.toLocaleString('en-US');
  if (size >= 1e5 || size < 1e-4) return value.toExponential(2);
  if (size >= 100) return value.toFixed(1);
  if (size >= 1) return value.toFixed(2);
  return value.toPrecision(digits);
}

/** The same for a narrow place: at most five characters or so. @param {MaybeNumber} value */
export function brief(value) {
  const size = Math.abs(value ?? 0);
  if (!is_number(value) || size === 0 || size >= 0.1) return number(value);
  return size < 1e-3 ? value.toExponential(0) : value.toFixed(3);
}

/** @param {MaybeNumber} value @param {number} digits */
export const fixed = (value, digits) => (is_number(value) ? value.toFixed(digits) : kNone);

/** @param {MaybeNumber} value */
export const count = (value) => (is_number(value) ? Math.round(value).toLocaleString('en-US') : kNone);

/** @param {MaybeNumber} value @param {number} [digits] */
export function percent(value, digits) {
  if (!is_number(value)) return kNone;
  const share = value * 100;
  if (digits === undefined && share !== 0 && Math.abs(share) < 0.005) return '< 0.01 %';
  const places = digits ?? (share !== 0 && Math.abs(share) < 10 ? (Math.abs(share) < 0.1 ? 2 : 1) : 0);
  return `${share.toFixed(places)} %`;
}

/** @param {number} amount @param {string} one */
export const plural = (amount, one, many = `${one}s`) => `${count(amount)} ${amount === 1 ? one : many}`;

/** @param {string} text */
export function date(text) {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? text : `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** At most `length` characters, never half a surrogate pair. @param {string} text */
export function shortened(text, length = 60) {
  const characters = Array.from(text.slice(0, 2 * length + 2));
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : text;
}
