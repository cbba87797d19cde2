// Which parts of a text are words that count, by how orthant tells words: runs of letters, marks and digits, with an
// apostrophe between two of them.

const kLeast = 0.1; // of the largest share: less would mark every small word
const kWord = /[\p{L}\p{M}\p{N}]+(?:['\u2019][\p{L}\p{M}\p{N}]+)*/gu;

/** A word as orthant writes it. @param {string} word */
const normal = (word) => word.normalize('NFKC').toLowerCase().replaceAll('\u2019', "'");

/**
 * The text in parts, those that are words of `marks` with a share worth telling with their strength: 1 for the largest
 * share, null for the rest.
 * @param {string} text @param {import('./source/contract.js').Mark[]} marks
 * @returns {{text: string, strength: number|null}[]}
 */
export function marked_parts(text, marks) {
  const largest = Math.max(0, ...marks.map(([, share]) => share));
  const strengths = new Map(marks.filter(([, share]) => share > 0 && share >= kLeast * largest).map(([word, share]) => [word, share / largest]));
  /** @type {{text: string, strength: number|null}[]} */
  const parts = [];
  let done = 0;
  for (const { 0: word, index } of text.matchAll(kWord)) {
    const strength = strengths.get(normal(word));
    if (strength === undefined) continue;
    if (index > done) parts.push({ text: text.slice(done, index), strength: null });
    parts.push({ text: word, strength });
    done = index + word.length;
  }
  if (done < text.length) parts.push({ text: text.slice(done), strength: null });
  return parts;
}
