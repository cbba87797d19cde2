/** @typedef {import('./source/contract.js').Run} Run */

/** The methods that a recipe can name, for those who meet them here. @type {Record<string, {name: string, about: string}>} */
const kMethods = {
  cl: { name: 'contrastive learning (CL)', about: 'features may be positive or negative, and every item has some of each' },
  ce: { name: 'cross entropy (CE)', about: 'learned from labels; features may be positive or negative' },
  nce: { name: 'non-negative cross entropy (NCE)', about: 'learned from labels; no feature can be negative: it is there or it is not' },
  supcon: { name: 'supervised contrastive learning (SupCon)', about: 'items of one class are drawn together; features may be positive or negative' },
  nsupcon: { name: 'non-negative supervised contrastive learning', about: 'items of one class are drawn together; no feature can be negative' },
  ncl: { name: 'non-negative contrastive learning (NCL)', about: 'no feature can be negative: it is there or it is not' },
};

/** @param {Run} run @returns {{name: string, about: string}|null} null for features from elsewhere */
export const method_of = (run) => (Object.hasOwn(kMethods, run.method) ? kMethods[run.method] : null);

/** A run as the subject of a sentence. @param {Run} run */
export const spoken_name = (run) => (method_of(run) ? run.method.toUpperCase() : run.name);
