// What the browser keeps between visits ('local'), or as long as this window is open ('session'). It may refuse (private
// window, file from disk): then nothing is kept.

/** @typedef {'local'|'session'} Where */

/** @param {Where} where */
const place = (where) => (where === 'local' ? localStorage : sessionStorage);

/** @param {string} key @param {Where} where @returns {string|null} */
export function read_stored(key, where = 'local') {
  try {
    return place(where).getItem(key);
  } catch {
    return null;
  }
}

/** @param {string} key @param {string} text @param {Where} where @returns {boolean} whether it was kept */
export function store(key, text, where = 'local') {
  try {
    place(where).setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

/** @param {string} key @param {Where} where */
export function remove_stored(key, where = 'local') {
  try {
    place(where).removeItem(key);
  } catch {
    // Nothing is kept here, so nothing is left.
  }
}
