const kMost = 8;

/** @typedef {{text: string, about: string, from: number}} Completion  `text` replaces what stands from `from` to the cursor */

/** What may follow a whole condition. @type {[string, string][]} */
const kJoins = [['and ', 'both must hold'], ['or ', 'one must hold']];

/** The word that is being written: quoted or plain, up to the cursor. @param {string} before */
function last_word(before) {
  const quoted = /"((?:[^"\\]|\\.)*)$/.exec(before);
  const odd = (before.replace(/\\./g, '').split('"').length - 1) % 2 === 1;
  if (quoted && odd) return { from: quoted.index, word: quoted[1].replace(/\\(.)/g, '$1') };
  const plain = /[^\s(),"=<>!~]*$/.exec(before);
  return { from: plain?.index ?? before.length, word: plain?.[0] ?? '' };
}

/**
 * What could stand at the cursor, best first.
 * @param {string} before  the text up to the cursor
 * @param {import('./vocabulary.js').Vocabulary} words
 * @param {(feature: number) => string} about  what a feature stands for
 * @returns {Completion[]}
 */
export function completions(before, words, about) {
  const { from, word } = last_word(before);
  const wanted = word.toLowerCase();
  const fits = (/** @type {string} */ name) => name.toLowerCase().includes(wanted);
  const first = (/** @type {string} */ name) => Number(!name.toLowerCase().startsWith(wanted));
  const head = before.slice(0, from);
  if (/\bclass\s*!?=\s*$/i.test(head)) {
    return words.classes.filter(fits).sort((x, y) => first(x) - first(y)).slice(0, kMost).map((name) => ({ text: `${words.written_value(name)} `, about: 'class', from }));
  }
  if (/(\bid\s*[=~]|[<>]=?)\s*$/i.test(head)) return [];
  if (/([\w")]\s+|[")])$/.test(head) && !/(^|\s|\()(and|or|not)\s+$/i.test(head)) return kJoins.filter(([join]) => join.startsWith(wanted)).map(([text, means]) => ({ text, about: means, from }));
  /** @type {Completion[]} */
  const found = [];
  const named = [...words.by_name].filter(([name]) => fits(name)).sort(([x], [y]) => first(x) - first(y));
  for (const [name, feature] of named.slice(0, kMost - 3)) found.push({ text: `${words.written_name(name)} `, about: about(feature), from });
  const number = /^f?(\d+)$/.exec(wanted);
  if (number && Number(number[1]) < words.features && !words.names[Number(number[1])]) found.unshift({ text: `f${Number(number[1])} `, about: about(Number(number[1])), from });
  if (words.classes.length && 'class'.startsWith(wanted)) found.push({ text: 'class=', about: 'items of a class', from });
  if ('id'.startsWith(wanted)) found.push({ text: 'id~', about: 'items whose id contains ...', from });
  if ('not'.startsWith(wanted) && !/not\s+$/i.test(head)) found.push({ text: 'not ', about: 'must not hold', from });
  return found.slice(0, kMost);
}
