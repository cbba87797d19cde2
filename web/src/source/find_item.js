/**
 * The item of this id, or else of this number.
 * @param {string[]} ids
 * @param {string} text
 * @returns {number|null}
 */
export function find_item(ids, text) {
  const at = ids.indexOf(text);
  if (at >= 0) return at;
  return /^\d+$/.test(text) && Number(text) < ids.length ? Number(text) : null;
}
