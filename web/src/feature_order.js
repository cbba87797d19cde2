// The orders in which features are shown; the gallery and "next feature" share them.

/** @typedef {import('./source/contract.js').Feature} Feature */
/** @typedef {import('./source/contract.js').Overview} Overview */

/** A feature that fires on fewer items keeps to a class by chance. @param {number} items */
export const few_samples = (items) => Math.min(10, Math.ceil(items / 4));

/** @type {Record<string, {name: string, key: ((feature: Feature) => number)|null, few_last?: boolean}>} */
export const kOrders = {
  consistency: { name: 'class consistency', key: (feature) => -(feature.consistency ?? -1), few_last: true },
  monosemanticity: { name: 'monosemanticity', key: (feature) => -(feature.monosemanticity ?? -2), few_last: true },
  expected: { name: 'expected activation', key: (feature) => -feature.expected_activation },
  firing: { name: 'firing rate', key: (feature) => -feature.firing_rate },
  label: { name: 'class, then consistency', key: (feature) => (feature.class ?? 1e9) * 10 - (feature.consistency ?? 0), few_last: true },
  name: { name: 'name', key: null },
  number: { name: 'number', key: (feature) => feature.feature },
};

/** @type {Record<string, {name: string, keep: (feature: Feature, name: string) => boolean}>} */
export const kFilters = {
  all: { name: 'all', keep: () => true },
  live: { name: 'live', keep: (feature) => !feature.flags.includes('dead') },
  dead: { name: 'dead', keep: (feature) => feature.flags.includes('dead') },
  dense: { name: 'dense', keep: (feature) => feature.flags.includes('dense') },
  duplicate: { name: 'duplicate', keep: (feature) => feature.flags.includes('duplicate') },
  anchored: { name: 'with anchor items', keep: (feature) => feature.anchors > 0 },
  named: { name: 'named', keep: (_, name) => name !== '' },
};

/** @template T @param {Record<string, T>} table @param {string|undefined} key @returns {T|null} */
const entry = (table, key) => (key !== undefined && Object.hasOwn(table, key) ? table[key] : null);

/** @param {Overview} overview @param {string|undefined} sort @returns {string} the order wanted, if there is such an order, or the default */
export const order_of = (overview, sort) => (sort !== undefined && entry(kOrders, sort) ? sort : default_order(overview));

/** @param {Overview} overview */
const default_order = (overview) => (overview.data.classes.length ? 'consistency' : 'expected');

/** The items that firing rates are shares of. @param {Overview} overview */
export const items_of = ({ data }) => data.items_shown ?? data.items;

/** Whether features that fire on few items come last in this order. @param {string} sort */
export const few_last = (sort) => entry(kOrders, sort)?.few_last === true;

/**
 * @param {Feature[]} features
 * @param {number} items of which the features have firing rates
 * @param {{sort?: string, show?: string, class?: string}} choice
 * @param {(feature: number) => string} name_of
 */
export function ordered(features, items, { sort, show = 'all', class: wanted }, name_of) {
  const keep = (entry(kFilters, show) ?? kFilters.all).keep;
  const order = entry(kOrders, sort) ?? kOrders.number;
  const chosen = features.filter(
    (feature) => keep(feature, name_of(feature.feature)) && (!wanted || String(feature.class) === wanted),
  );
  const { key } = order;
  if (key === null) {
    const rank = (/** @type {Feature} */ feature) => name_of(feature.feature) || '\uffff';
    return chosen.sort((x, y) => rank(x).localeCompare(rank(y)) || x.feature - y.feature);
  }
  const few = (/** @type {Feature} */ feature) => Number(order.few_last === true && Math.round(feature.firing_rate * items) < few_samples(items));
  return chosen.sort((x, y) => few(x) - few(y) || key(x) - key(y) || x.feature - y.feature);
}
