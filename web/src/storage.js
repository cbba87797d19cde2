// What the browser keeps between visits. It may refuse (private window, file from disk): then nothing is kept.

/** @param {string} key @returns {string|null} */
export function read_stored(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** @param {string} key @param {string} text @returns {boolean} whether it was kept */
export function store(key, text) {
  try {
    localStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}
