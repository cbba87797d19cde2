/** @typedef {import('./source/contract.js').Run} Run */

const kSigned = 'features may be positive or negative, and every item has some of each';
const kNonNegative = 'no feature can be negative: it is there or it is not';

/**
 * The methods that a recipe can name, for those who meet them here.
 * @type {Record<string, {short: string, name: string, about: string, non_negative: boolean}>}
 */
const kMethods = {
  cl: { short: 'CL', name: 'contrastive learning (CL)', about: kSigned, non_negative: false },
  ncl: { short: 'NCL', name: 'non-negative contrastive learning (NCL)', about: kNonNegative, non_negative: true },
  ce: { short: 'CE', name: 'cross entropy (CE), learned from labels', about: kSigned, non_negative: false },
  nce: { short: 'NCE', name: 'non-negative cross entropy (NCE), learned from labels', about: kNonNegative, non_negative: true },
  supcon: { short: 'SupCon', name: 'supervised contrastive learning (SupCon), learned from labels', about: kSigned, non_negative: false },
  nsupcon: { short: 'non-negative SupCon', name: 'non-negative supervised contrastive learning, learned from labels', about: kNonNegative, non_negative: true },
};

/** @param {Run} run @returns {{short: string, name: string, about: string, non_negative: boolean}|null} null for features from elsewhere */
export const method_of = (run) => (Object.hasOwn(kMethods, run.method) ? kMethods[run.method] : null);

/** A run as the subject of a sentence. @param {Run} run */
export const spoken_name = (run) => method_of(run)?.short ?? run.name;
