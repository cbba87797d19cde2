// What sets some items apart from all others, feature by feature.

/**
 * @typedef {import('./source/contract.js').FeatureContrast & {rate: number, rate_others: number, lift: number|null,
 *   share: number|null, surety: number}} Telling  `lift`: how many times more often it fires here than in all; `share`: of
 *   the items where it fires, how many are here; `surety`: how many standard errors its mean is above that of items drawn
 *   at random
 */

/**
 * From how many standard errors on a difference is no chance: of this many features, random items would take one that far
 * in at most one of a hundred selections.
 * @param {number} features
 */
export const sure_from = (features) => Math.sqrt(2 * Math.log(100 * Math.max(1, features)));

/** @param {import('./source/contract.js').Contrast} contrast @returns {Telling[]} features that fire anywhere, the surest above first */
export function telling_of({ items, others, features }) {
  const all = items + others;
  const told = features
    .filter(({ firing, firing_others }) => firing + firing_others > 0)
    .map((one) => {
      const mean = (items * one.mean + others * one.mean_others) / all;
      const error = one.deviation * Math.sqrt(others / (items * Math.max(1, all - 1)));
      const rate = items ? one.firing / items : 0;
      const rate_of_all = (one.firing + one.firing_others) / all;
      return {
        ...one, rate, rate_others: others ? one.firing_others / others : 0, lift: items ? rate / rate_of_all : null, share: one.firing / (one.firing + one.firing_others),
        surety: items > 0 && others > 0 && error > 0 ? (one.mean - mean) / error : 0,
      };
    });
  return told.sort((x, y) => y.surety - x.surety || x.feature - y.feature);
}
