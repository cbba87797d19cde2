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

/** The same of features that were learned on given vectors. */
const on_vectors = (/** @type {string} */ short, /** @type {string} */ name) => ({ short, name: `${name} on given vectors`, about: kNonNegative, non_negative: true });

/** @type {typeof kMethods} */
const kAdapted = {
  topk: on_vectors('Top-k', 'a top-k autoencoder'),
  batch: on_vectors('Batch top-k', 'a batch top-k autoencoder'),
  jump: on_vectors('JumpReLU', 'a JumpReLU autoencoder'),
  csr: on_vectors('CSR', 'contrastive sparse representation (CSR)'),
  ncl: on_vectors('NCL', 'non-negative contrastive learning (NCL)'),
};

/** Whether its features were learned on vectors that others made. @param {Run} run */
export const is_adapted = (run) => run.recipe.some(([section]) => section === 'adapter');

/** @param {Run} run @returns {{short: string, name: string, about: string, non_negative: boolean}|null} null for features from elsewhere */
export const method_of = (run) => {
  const methods = is_adapted(run) ? kAdapted : kMethods;
  return Object.hasOwn(methods, run.method) ? methods[run.method] : null;
};

/** A run as the subject of a sentence. @param {Run} run */
export const spoken_name = (run) => method_of(run)?.short ?? run.name;
