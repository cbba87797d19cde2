/** @typedef {import('./source/contract.js').Run} Run */

/** The methods that a recipe can name, for those who meet them here. @type {Record<string, {name: string, about: string}>} */
const kMethods = {
  cl: { name: 'contrastive learning (CL)', about: 'features may be positive or negative, and every item has some of each' },
  ncl: { name: 'non-negative contrastive learning (NCL)', about: 'no feature can be negative: it is there or it is not' },
};

/** @param {Run} run @returns {{name: string, about: string}|null} null for features from elsewhere */
export const method_of = (run) => (Object.hasOwn(kMethods, run.method) ? kMethods[run.method] : null);

/** A run as the subject of a sentence. @param {Run} run */
export const spoken_name = (run) => (method_of(run) ? run.method.toUpperCase() : run.name);
