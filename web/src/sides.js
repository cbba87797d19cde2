// A feature fires on an item where its magnitude is above 1e-5. There it is on one of two sides, positive or negative,
// which may stand for different things. Features of NCL have the positive side only.

/**
 * @typedef {import('./source/contract.js').Feature} Feature
 * @typedef {'positive'|'negative'} Side
 * @typedef {object} SideOfFeature
 * @property {Side} side
 * @property {number} rate  share of all items
 * @property {number|null} consistency
 * @property {number|null} class
 * @property {number[]} top
 * @property {number[]} profile
 * @property {import('./source/contract.js').Word[]} words
 */

/** @param {Feature} feature @returns {SideOfFeature} */
const positive = ({ firing_rate, negative, consistency, class: label, top, profile, words }) => ({
  side: 'positive', rate: firing_rate - (negative?.rate ?? 0), consistency, class: label, top, profile, words,
});

/** @param {Feature} feature @returns {SideOfFeature|null} */
const negative = (feature) => (feature.negative ? { side: 'negative', ...feature.negative } : null);

/** The sides that a feature has, positive first; none if it is dead. @param {Feature} feature @returns {SideOfFeature[]} */
export const sides_of = (feature) => [positive(feature), negative(feature)].filter((side) => side !== null).filter((side) => side.top.length > 0);

/** One of them, or the other where there is no such side. @param {Feature} feature @param {Side} wanted @returns {SideOfFeature} */
export function side_of(feature, wanted) {
  const sides = sides_of(feature);
  return sides.find(({ side }) => side === wanted) ?? sides[0] ?? positive(feature);
}

/** @param {number} value @returns {Side} */
export const side_of_value = (value) => (value < 0 ? 'negative' : 'positive');

export const kSideNames = { positive: '+ side', negative: '− side' };
