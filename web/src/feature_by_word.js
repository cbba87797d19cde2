/** @typedef {import('./source/contract.js').Feature} Feature */

/** How well a list of words fits: its first word that `text` is or begins; lower is better, null: none. @param {import('./source/contract.js').Word[]} words @param {string} text */
function fit(words, text) {
  const whole = words.findIndex(({ word }) => word === text);
  if (whole >= 0) return whole;
  const begun = words.findIndex(({ word }) => word.startsWith(text));
  return begun >= 0 ? 1000 + begun : null;
}

/** The numbers of features that a word goes with, on either side: the word itself before words that begin like it. @param {Feature[]} features @param {string} text */
export function features_by_word(features, text) {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return [];
  const found = features.flatMap(({ feature, words, negative }) => {
    const fits = [fit(words, wanted), fit(negative?.words ?? [], wanted)].filter((one) => one !== null);
    return fits.length ? [{ feature, rank: Math.min(...fits) }] : [];
  });
  return found.sort((x, y) => x.rank - y.rank || x.feature - y.feature).map(({ feature }) => feature);
}
