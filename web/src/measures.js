import { count, fixed, number, percent } from './format.js';

/** @typedef {import('./source/contract.js').Run} Run */

/** @param {number} value */
const exact_percent = (value) => percent(value, 1);
/** @param {number} value */
const three = (value) => fixed(value, 3);

/**
 * The measures that the page explains: `key` is the path in the document of `orthant measure`, `good` whether more or
 * less is better for readable features, `hint` what a value means in plain words.
 * @typedef {{key: string, name: string, about: string, format: (value: number) => string, unit?: string,
 *   good?: 'more'|'less', hint?: (value: number, run: Run) => string}} Measure
 */

/** @type {Measure[]} */
export const kMeasures = [
  {
    key: 'sparsity', name: 'Sparsity', format: exact_percent, good: 'more',
    about: 'Share of all entries whose magnitude is below 1e-5: features that say nothing about a sample.',
    hint: (value, run) => {
      const active = run.measures.active_per_sample ?? (1 - value) * run.features;
      return `${percent(value)} of entries are zero: each sample is described by about ${count(active)} of ${count(run.features)} features.`;
    },
  },
  {
    key: 'active_per_sample', name: 'Active features per sample', format: (value) => fixed(value, 1), unit: 'features', good: 'less',
    about: 'Mean number of features of a sample whose magnitude is above 1e-5.',
    hint: (value, run) => `A sample uses ${fixed(value, 1)} of ${count(run.features)} features on average.`,
  },
  {
    key: 'dead_features', name: 'Dead features', format: count, unit: 'features', good: 'less',
    about: 'Features that are active in no sample at all.',
    hint: (value, run) =>
      value === 0 ? 'Every feature fires at least once.' : `${percent(value / run.features)} of the features never fire: that capacity is unused.`,
  },
  {
    key: 'non_negative_ratio', name: 'Non-negative entries', format: exact_percent,
    about: 'Share of entries that are zero or above.',
    hint: (value) => (value >= 1 ? 'No entry is negative: features add up, none cancels another.' : 'Entries of both signs: features can cancel each other.'),
  },
  {
    key: 'class_consistency.positive', name: 'Class consistency', format: exact_percent, good: 'more',
    about: 'For each feature, the share of the most frequent class among the samples where it is above 1e-5 (rows of unit length); mean over features.',
    hint: (value) => `When a feature fires, ${percent(value)} of the samples are of its commonest class, on average.`,
  },
  {
    key: 'class_consistency.active', name: 'Class consistency, either sign', format: exact_percent, good: 'more',
    about: 'The same where a feature counts as active if its magnitude is above 1e-5. Dense features score the share of the largest class.',
  },
  {
    key: 'class_consistency.strong', name: 'Class consistency, strong', format: exact_percent, good: 'more',
    about: 'The same where a feature counts as active if it is above 0.1 after the sample was scaled to unit length.',
  },
  {
    key: 'class_entropy', name: 'Class entropy', format: (value) => fixed(value, 2), unit: 'nats', good: 'less',
    about: 'Entropy of the classes among the samples where a feature is not zero, of either sign; mean over features. 0: one class only.',
    hint: (value) => `As mixed as about ${fixed(Math.exp(value), 1)} equally frequent classes in each feature.`,
  },
  {
    key: 'anchored_features', name: 'Anchored features', format: count, unit: 'features', good: 'more',
    about: 'Features that are the only active one of at least one sample. Such samples make the factorisation unique.',
    hint: (value, run) => `${percent(value / run.features)} of the features describe some sample all alone.`,
  },
  {
    key: 'correlation.mean', name: 'Correlation, mean', format: three, good: 'less',
    about: 'Mean absolute cosine between pairs of feature columns, live features only.',
    hint: (value) => (value < 0.15 ? 'Features are close to orthogonal: each says something of its own.' : 'Features overlap: several say similar things.'),
  },
  {
    key: 'correlation.median', name: 'Correlation, median', format: three, good: 'less',
    about: 'Median absolute cosine between pairs of feature columns, live features only.',
  },
  {
    key: 'effective_rank', name: 'Effective rank', format: (value) => fixed(value, 2), unit: 'nats', good: 'more',
    about: 'Entropy of the shares of the singular values of the features, rows scaled to unit length; at most the logarithm of the number of features.',
    hint: (value, run) => `Spread over about ${count(Math.exp(value))} of ${count(run.features)} directions.`,
  },
  {
    key: 'knn_accuracy', name: 'k-NN accuracy', format: exact_percent, good: 'more',
    about: 'Share of samples whose nearest neighbours in feature space vote for the right class.',
    hint: (value) => `Neighbours name the right class for ${percent(value)} of the samples.`,
  },
  {
    key: 'precision_at_10', name: 'Precision at 10', format: exact_percent, good: 'more',
    about: 'Share of the ten nearest neighbours that have the class of the query.',
    hint: (value) => `${fixed(value * 10, 1)} of the ten nearest samples share the class.`,
  },
  {
    key: 'map_at_10', name: 'mAP at 10', format: exact_percent, good: 'more',
    about: 'Mean average precision of the ten nearest neighbours: right ones count more the earlier they come.',
  },
  { key: 'recall_at_10', name: 'Recall at 10', format: exact_percent, good: 'more', about: 'Share of samples with at least one of their class among the ten nearest neighbours.' },
  { key: 'sepin.1', name: 'SEPIN@1', format: number, unit: 'nats', good: 'more', about: 'What the most informative feature tells of a sample that no other feature tells: how much the loss rises without it.' },
  { key: 'sepin.10', name: 'SEPIN@10', format: number, unit: 'nats', good: 'more', about: 'The same, mean over the ten most informative features.' },
  { key: 'sepin.100', name: 'SEPIN@100', format: number, unit: 'nats', good: 'more', about: 'The same, mean over the hundred most informative features.' },
  { key: 'sepin.all', name: 'SEPIN@all', format: number, unit: 'nats', good: 'more', about: 'The same, mean over all features.' },
  { key: 'mig', name: 'MIG', format: three, good: 'more', about: 'Mutual information gap: how far the feature that knows most about a factor is ahead of the second.' },
  { key: 'dci.disentanglement', name: 'DCI disentanglement', format: three, good: 'more', about: 'Whether each feature matters to one ground-truth factor only.' },
  { key: 'dci.completeness', name: 'DCI completeness', format: three, good: 'more', about: 'Whether each ground-truth factor is told by one feature only.' },
  { key: 'dci.informativeness', name: 'DCI informativeness', format: three, good: 'more', about: 'How well the factors are predicted from the features.' },
  { key: 'sap', name: 'SAP', format: three, good: 'more', about: 'Separated attribute predictability: gap between the two features that predict a factor best.' },
  { key: 'factor_vae', name: 'FactorVAE score', format: three, good: 'more', about: 'How often the feature that varies least among samples with one factor in common tells which factor that is.' },
  { key: 'beta_vae', name: 'beta-VAE score', format: three, good: 'more', about: 'How often a linear classifier tells, from differences of features, which factor two groups of samples have in common.' },
  { key: 'modularity', name: 'Modularity', format: three, good: 'more', about: 'Whether each feature knows of one factor only, by mutual information.' },
  { key: 'stability.mean', name: 'Stability', format: three, good: 'more', about: 'Mean similarity of features matched one to one with those of another model on the same items.' },
];

/**
 * What other numbers of the page mean, by the names that docs/measures.md uses.
 * @type {Record<string, {name: string, about: string, unit?: string}>}
 */
export const kTerms = {
  ...Object.fromEntries(kMeasures.map((measure) => [measure.key, measure])),
  firing_rate: { name: 'Firing rate', about: 'Share of samples where the magnitude of the feature is above 1e-5.' },
  expected_activation: { name: 'Expected activation', about: 'Mean of the feature over all samples, each scaled to unit length: how much the feature matters overall.' },
  consistency: { name: 'Consistency', about: 'Share of the most frequent class among the samples where the feature fires.' },
  entropy: { name: 'Entropy', about: 'Entropy of the classes among the samples where the feature fires, in nats. 0: one class only.' },
  max: { name: 'Largest activation', about: 'The largest value of the feature over all samples.' },
  anchors: { name: 'Anchor samples', about: 'Samples in which this feature is the only active one.' },
  score: { name: 'Similarity', about: 'Cosine between two samples: the sum over shared features of the product of both values, divided by both norms.' },
  contribution: { name: 'Contribution', about: 'The part of the similarity that one shared feature makes: a times b, divided by both norms. The parts add up to the similarity.' },
  share: { name: 'Share', about: 'Squared value of the feature over the squared norm of the sample: the shares of a sample add up to 100 %.' },
  norm: { name: 'Norm', about: 'Length of the sample\'s feature vector.' },
  jaccard: { name: 'Jaccard', about: 'Samples where both features fire, over samples where at least one does.' },
  lift: { name: 'Lift', about: 'How many times more often both fire together than they would by chance.' },
  cosine: { name: 'Cosine', about: 'Cosine between the two columns of features: 1 is the same up to scale.' },
  rate: { name: 'Rate in class', about: 'Share of the samples of a class where the feature fires.' },
  active: { name: 'Active features', about: 'Number of features of the sample whose magnitude is above 1e-5.' },
  similarity: { name: 'Match', about: 'Cosine between the two matched columns, one of each run, without its sign: a feature and its negative are the same. The matching maximises the sum.' },
  dead: { name: 'Dead', about: 'Fires on no sample.' },
  dense: { name: 'Dense', about: 'Fires on most samples, so it tells them apart poorly.' },
  duplicate: { name: 'Duplicate', about: 'Nearly the same as another feature.' },
};

/** @type {[string, RegExp][]} */
const kSections = [
  ['neighbours-k-nn-and-retrieval', /^(knn_|precision_|map_|recall_|score|contribution)/],
  ['from-two-views-sepin', /^sepin/],
  ['between-two-models-stability', /^(stability|similarity)/],
  ['against-ground-truth-factors', /^(mig|dci|sap|factor_vae|beta_vae|modularity)/],
  ['columns', /^(correlation|effective_rank|cosine|duplicate)/],
  ['classes', /^(class_|consistency|entropy|rate)/],
];

/** Where docs/measures.md explains a term. @param {string} id */
export const section_of = (id) => kSections.find(([, pattern]) => pattern.test(id))?.[0] ?? 'activity';

/**
 * The measure of this key, whether nested or written with dots.
 * @param {import('./source/contract.js').Measures} measures
 * @param {string} key
 * @returns {number|null}
 */
export function measure_of(measures, key) {
  /** @type {unknown} */
  let nested = measures;
  for (const part of key.split('.')) nested = typeof nested === 'object' ? /** @type {Record<string, unknown>|null} */ (nested)?.[part] : undefined;
  const value = nested ?? measures?.[key];
  return typeof value === 'number' ? value : null;
}
