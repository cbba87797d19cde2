import { QueryError, Scanner } from './scanner.js';

// weights := [-]FEATURE[":"NUMBER] {"," [-]FEATURE[":"NUMBER]}

/** @typedef {{feature: number, weight: number}} Weight */

/** @param {string} text @param {import('./vocabulary.js').Vocabulary} words @returns {Weight[]} in the order written; QueryError if it means nothing */
export function parse_weights(text, words) {
  const scanner = new Scanner(text);
  /** @type {Weight[]} */
  const weights = [];
  do {
    const sign = scanner.take('-') ? -1 : 1;
    const word = scanner.word('a feature');
    const feature = words.feature(word);
    if (weights.some((other) => other.feature === feature)) throw new QueryError(`expected each feature once, got ${word.text.slice(0, 40)} again`, word.at);
    const weight = scanner.take(':') ? scanner.number('a weight') : 1;
    weights.push({ feature, weight: sign * weight });
  } while (scanner.take(','));
  if (!scanner.at_end()) scanner.fail('a comma or the end');
  return weights;
}

/** @param {Weight[]} weights @param {import('./vocabulary.js').Vocabulary} words */
export const written_weights = (weights, words) =>
  weights.map(({ feature, weight }) => `${weight < 0 ? '-' : ''}${words.written(feature)}:${Number(Math.abs(weight).toPrecision(4))}`).join(', ');
