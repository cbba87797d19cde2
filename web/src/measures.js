import { count, fixed, number, percent } from './format.js';

/** @typedef {import('./source/contract.js').Run} Run */

/** @param {number} value */
const exact_percent = (value) => percent(value, 1);
/** @param {number} value */
const three = (value) => fixed(value, 3);

/**
 * The measures that the page explains: `key` is the path in the document of `orthant measure`, `good` whether more or
 * less is better for readable features, `hint` what a value means in plain words, `range` from where to where it can
 * go, `chance` what blind guessing scores, `identifier` whose parameters belong to it.
 * @typedef {{key: string, name: string, about: string, format: (value: number) => string, unit?: string,
 *   good?: 'more'|'less', hint: (value: number, run: Run) => string, range: string|((run: Run) => string),
 *   chance?: (chance: import('./chance.js').Chance) => number, identifier?: string}} Measure
 */

const kShare = '0 to 100 %';
const kUnit = '0 to 1';

/** @param {Run} run */
const up_to_features = (run) => `0 to ${count(run.features)}`;

/** How far along from none to all, in words. @param {number} value @param {string} what */
const extent = (value, what) => `${value >= 0.8 ? 'Nearly all' : value >= 0.5 ? 'Most' : value >= 0.2 ? 'Some' : 'Little'} of ${what}.`;

/** @type {Measure[]} */
export const kMeasures = [
  {
    key: 'sparsity', name: 'Sparsity', format: exact_percent, good: 'more', range: kShare,
    about: 'Share of all entries whose magnitude is below 1e-5: features that say nothing about an item.',
    hint: (value, run) => {
      const active = run.measures.active_per_sample ?? (1 - value) * run.features;
      return `${percent(value)} of entries are zero: each item is described by about ${count(active)} of ${count(run.features)} features.`;
    },
  },
  {
    key: 'active_per_sample', name: 'Active features per item', format: (value) => fixed(value, 1), unit: 'features', good: 'less', range: up_to_features,
    about: 'Mean number of features of an item whose magnitude is above 1e-5.',
    hint: (value, run) => `An item uses ${fixed(value, 1)} of ${count(run.features)} features on average.`,
  },
  {
    key: 'dead_features', name: 'Dead features', format: count, unit: 'features', good: 'less', range: up_to_features,
    about: 'Features that are active in no item at all.',
    hint: (value, run) =>
      value === 0 ? 'Every feature fires at least once.' : `${percent(value / run.features)} of the features never fire: that capacity is unused.`,
  },
  {
    key: 'non_negative_ratio', name: 'Non-negative entries', format: exact_percent, range: kShare,
    about: 'Share of entries that are zero or above.',
    hint: (value) => (value >= 1 ? 'No entry is negative: features add up, none cancels another.' : 'Entries of both signs: features can cancel each other.'),
  },
  {
    key: 'class_consistency.positive', name: 'Class consistency', format: exact_percent, good: 'more', range: kShare, chance: ({ largest }) => largest,
    about: 'For each feature, the share of the most frequent class among the items where it is above 1e-5 (rows of unit length); mean over features.',
    hint: (value) => `Where a feature is positive, ${percent(value)} of the items are of its commonest class, on average.`,
  },
  {
    key: 'class_consistency.active', name: 'Class consistency, either sign', format: exact_percent, good: 'more', range: kShare, chance: ({ largest }) => largest,
    about: 'The same where a feature counts as active if its magnitude is above 1e-5. Dense features score the share of the largest class.',
    hint: (value) => `The same with positive and negative items together: ${percent(value)}.`,
  },
  {
    key: 'class_consistency.strong', name: 'Class consistency, strong', format: exact_percent, good: 'more', range: kShare, chance: ({ largest }) => largest,
    about: 'The same where a feature counts as active if it is above 0.1 after the item was scaled to unit length.',
    hint: (value) => `Where a feature is strong, ${percent(value)} of the items are of its commonest class.`,
  },
  {
    key: 'class_consistency.top', name: 'Class consistency, strongest 1 %', format: exact_percent, good: 'more', range: kShare,
    about: 'The same among the 1 % of items in which a feature is strongest and above 1e-5: a rule that does not depend on how many features there are.',
    hint: (value, run) => {
      const chance = measure_of(run.measures, 'chance.class_consistency.top');
      return `Where a feature is strongest, ${percent(value)} of the items are of one class${chance === null ? '' : `; as many drawn at random would give ${percent(chance)}`}.`;
    },
  },
  {
    key: 'communities.nmi', name: 'Communities and classes', format: exact_percent, good: 'more', range: kShare,
    about: 'A node of a graph belongs to the community of its strongest feature. How much communities and classes tell of each other: their mutual information, as a share of the mean of both entropies.',
    hint: (value) => `${extent(value, 'what classes and communities could tell of each other')} With more communities than classes it cannot reach 100 %.`,
  },
  {
    key: 'communities.purity', name: 'Purity of communities', format: exact_percent, good: 'more', range: kShare,
    about: 'Share of the nodes that are of the commonest class of their community.',
    hint: (value) => `${percent(value)} of the nodes have the commonest class of their community.`,
  },
  {
    key: 'communities.modularity', name: 'Modularity', format: exact_percent, good: 'more', range: '-50 to 100 %',
    about: 'Share of the edges that stay within a community, less what as many edges drawn by degree would have there: 0 % is chance.',
    hint: (value) => `${percent(Math.abs(value))} ${value < 0 ? 'fewer' : 'more'} of the edges stay within a community than by chance.`,
  },
  {
    key: 'monosemanticity', name: 'Monosemanticity', format: three, good: 'more', range: '-1 to 1',
    about: 'For each feature, how alike the items are that it is on for, by vectors that another encoder gave them: the mean cosine of two of them, weighted by how far it is on; mean over features.',
    hint: (value, run) => {
      const chance = measure_of(run.measures, 'chance.monosemanticity');
      return `Two items of one feature are alike by ${fixed(value, 2)}${chance === null ? '' : `, any two items by ${fixed(chance, 2)}`}.`;
    },
  },
  {
    key: 'class_entropy', name: 'Class entropy', format: (value) => fixed(value, 2), unit: 'nats', good: 'less', range: '0 to the chance level', chance: ({ entropy }) => entropy,
    about: 'Entropy of the classes among the items where a feature is not zero, of either sign; mean over features. 0: one class only.',
    hint: (value) => `As mixed as about ${fixed(Math.exp(value), 1)} equally frequent classes in each feature.`,
  },
  {
    key: 'anchored_features', name: 'Anchored features', format: count, unit: 'features', good: 'more', range: up_to_features,
    about: 'Features that are the only active one of at least one item. Such items make the factorisation unique.',
    hint: (value, run) => `${percent(value / run.features)} of the features describe some item all alone.`,
  },
  {
    key: 'correlation.mean', name: 'Correlation, mean', format: three, good: 'less', range: kUnit,
    about: 'Mean absolute cosine between pairs of feature columns, live features only.',
    hint: (value) => (value < 0.15 ? 'Features are close to orthogonal: each says something of its own.' : 'Features overlap: several say similar things.'),
  },
  {
    key: 'correlation.median', name: 'Correlation, median', format: three, good: 'less', range: kUnit,
    about: 'Median absolute cosine between pairs of feature columns, live features only.',
    hint: (value) => `Half of the pairs of features are less alike than ${fixed(value, 2)}.`,
  },
  {
    key: 'effective_rank', name: 'Effective rank', format: (value) => fixed(value, 2), unit: 'nats', good: 'more', range: (run) => `0 to ${fixed(Math.log(run.features), 2)}`,
    about: 'Entropy of the shares of the singular values of the features, rows scaled to unit length; at most the logarithm of the number of features.',
    hint: (value, run) => `Spread over about ${count(Math.exp(value))} of ${count(run.features)} directions.`,
  },
  {
    key: 'knn_accuracy', name: 'k-NN accuracy', format: exact_percent, good: 'more', range: kShare, chance: ({ largest }) => largest, identifier: 'knn-accuracy',
    about: 'Share of items whose nearest neighbours in feature space vote for the right class.',
    hint: (value) => `Neighbours name the right class for ${percent(value)} of the items.`,
  },
  {
    key: 'precision_at_10', name: 'Precision at 10', format: exact_percent, good: 'more', range: kShare, chance: ({ same }) => same,
    about: 'Share of the ten nearest neighbours that have the class of the query.',
    hint: (value) => `${fixed(value * 10, 1)} of the ten nearest items share the class.`,
  },
  {
    key: 'map_at_10', name: 'mAP at 10', format: exact_percent, good: 'more', range: kShare,
    about: 'Mean average precision of the ten nearest neighbours: right ones count more the earlier they come.',
    hint: (value) => `${percent(value)}, where 100 % is ten right neighbours out of ten.`,
  },
  { key: 'recall_at_10', name: 'Recall at 10', format: exact_percent, good: 'more', range: kShare, chance: ({ found }) => found, hint: (value) => `For ${percent(value)} of the items at least one of ten neighbours is of their class.`, about: 'Share of items with at least one of their class among the ten nearest neighbours.' },
  { key: 'sepin.1', name: 'SEPIN@1', format: number, unit: 'nats', good: 'more', range: '0 and above', hint: (value) => `Without its most telling feature an item is harder to find among others by ${number(value)} nats.`, about: 'What the most informative feature tells of an item that no other feature tells: how much the loss rises without it.' },
  { key: 'sepin.10', name: 'SEPIN@10', format: number, unit: 'nats', good: 'more', range: '0 and above', hint: (value) => `The ten most telling features: ${number(value)} nats each that no other tells.`, about: 'The same, mean over the ten most informative features.' },
  { key: 'sepin.100', name: 'SEPIN@100', format: number, unit: 'nats', good: 'more', range: '0 and above', hint: (value) => `The hundred most telling features: ${number(value)} nats each that no other tells.`, about: 'The same, mean over the hundred most informative features.' },
  { key: 'sepin.all', name: 'SEPIN@all', format: number, unit: 'nats', good: 'more', range: '0 and above', hint: (value) => `All features: ${number(value)} nats each that no other tells.`, about: 'The same, mean over all features.' },
  { key: 'mig', name: 'MIG', format: three, good: 'more', range: kUnit, hint: (value) => extent(value, 'what is known of a factor is in one feature alone'), about: 'Mutual information gap: how far the feature that knows most about a factor is ahead of the second.' },
  { key: 'dci.disentanglement', name: 'DCI disentanglement', format: three, good: 'more', range: kUnit, hint: (value) => extent(value, 'what a feature tells is about one factor'), about: 'Whether each feature matters to one ground-truth factor only.' },
  { key: 'dci.completeness', name: 'DCI completeness', format: three, good: 'more', range: kUnit, hint: (value) => extent(value, 'what is known of a factor is in one feature'), about: 'Whether each ground-truth factor is told by one feature only.' },
  { key: 'dci.informativeness', name: 'DCI informativeness', format: three, good: 'more', range: kUnit, hint: (value) => `From the features, factors are predicted right in ${percent(value)} of the cases.`, about: 'How well the factors are predicted from the features.' },
  { key: 'sap', name: 'SAP', format: three, good: 'more', range: kUnit, hint: (value) => `The best feature predicts a factor better than the second by ${percent(value)}.`, about: 'Separated attribute predictability: gap between the two features that predict a factor best.' },
  { key: 'factor_vae', name: 'FactorVAE score', format: three, good: 'more', range: kUnit, hint: (value) => `The factor that a group has in common is told in ${percent(value)} of the cases.`, about: 'How often the feature that varies least among items with one factor in common tells which factor that is.' },
  { key: 'beta_vae', name: 'beta-VAE score', format: three, good: 'more', range: kUnit, hint: (value) => `The factor that two groups have in common is told in ${percent(value)} of the cases.`, about: 'How often a linear classifier tells, from differences of features, which factor two groups of items have in common.' },
  { key: 'modularity', name: 'Modularity', format: three, good: 'more', range: kUnit, hint: (value) => extent(value, 'what a feature knows is of one factor'), about: 'Whether each feature knows of one factor only, by mutual information.' },
  {
    key: 'following.mean', name: 'Features that follow a factor', format: exact_percent, good: 'more', range: kShare,
    about: 'How far the 1 % of items in which a feature is strongest agree on a value of its best factor, above chance; mean over features.',
    hint: (_, run) => `${count(measure_of(run.measures, 'following.one') ?? 0)} of ${count(run.features)} features follow a factor by half or more, ${count(measure_of(run.measures, 'following.several') ?? 0)} of them two or more at once.`,
  },
  {
    key: 'regions.mean', name: 'Features that are regions', format: exact_percent, good: 'more', range: kShare,
    about: 'How close together the 1 % of items in which a feature is strongest lie on its best ordered factor (size, place, orientation), above chance; mean over features.',
    hint: (_, run) => `${count(measure_of(run.measures, 'regions.one') ?? 0)} of ${count(run.features)} features keep to a region of such a factor.`,
  },
  { key: 'stability.mean', name: 'Stability', format: three, good: 'more', range: kUnit, hint: (value) => `Matched features of the other model agree by ${fixed(value, 2)}; those without a partner count as 0.`, about: 'Mean similarity of features matched one to one with those of another model on the same items.' },
];

/**
 * What other numbers of the page mean, by the names that docs/measures.md uses.
 * @type {Record<string, {name: string, about: string, unit?: string}>}
 */
export const kTerms = {
  ...Object.fromEntries(kMeasures.map((measure) => [measure.key, measure])),
  firing_rate: { name: 'Firing rate', about: 'Share of items where the feature fires: where its magnitude is above 1e-5, be it positive or negative.' },
  expected_activation: { name: 'Expected activation', about: 'Mean of the feature over all items, each scaled to unit length: how much the feature matters overall.' },
  consistency: { name: 'Consistency', about: 'Share of the most frequent class among the items of a side of the feature: its positive side, or its negative side where it has one.' },
  entropy: { name: 'Entropy', about: 'Entropy of the classes among the items on the positive side of the feature, in nats. 0: one class only.' },
  feature_monosemanticity: { name: 'Monosemanticity', about: 'How alike the items are that the feature is on for, by vectors that another encoder gave them: the mean cosine of two of them, weighted by how far it is on. Compare it with the mean of any two items, which the overview tells.' },
  'kept.explained': { name: 'Explained', about: 'Share of the variance of the vectors that is there in what the features on rebuild.' },
  'kept.one_nn': { name: '1-NN', about: 'Share of items that have the class of their nearest neighbour.' },
  'kept.knn': { name: '20-NN', about: 'Share of items that have the class that most of their 20 nearest neighbours have.' },
  'kept.precision': { name: 'Precision of 10', about: 'How many of the ten nearest neighbours have the class of the item.' },
  'kept.recall': { name: 'Kept of the ten nearest', about: 'How many of the ten items that are nearest by the vectors are among the ten nearest by the features.' },
  'kept.there': { name: 'Partner among 10', about: 'Of two kinds of vectors that belong together in pairs: share of the first kind whose partner is among the ten nearest of the second.' },
  'kept.back': { name: 'And back', about: 'The same from the second kind to the first.' },
  'kept.dead': { name: 'Dead', about: 'Share of features that are on for none of the items looked at.' },
  negative_consistency: { name: 'Consistency, − side', about: 'Share of the most frequent class among the items where the feature is negative.' },
  positive: { name: 'Positive side', about: 'The items where the feature is above 1e-5. A feature with two signs may stand for one thing on this side and for another on the other.' },
  negative: { name: 'Negative side', about: 'The items where the feature is below -1e-5. Non-negative features (NCL) have no such side: a feature is there or it is not.' },
  max: { name: 'Largest activation', about: 'The largest value of the feature over all items.' },
  min: { name: 'Lowest activation', about: 'The lowest value of the feature over all items.' },
  anchors: { name: 'Anchor items', about: 'Items in which this feature is the only active one.' },
  score: { name: 'Similarity', about: 'Cosine between two items: the sum over shared features of the product of both values, divided by both norms.' },
  contribution: { name: 'Contribution', about: 'The part of the similarity that one shared feature makes: a times b, divided by both norms. The parts add up to the similarity.' },
  where: { name: 'Where in the picture or sound', about: 'What each place of the picture, or of the spectrogram of a sound, adds to the feature (red) or takes from it (blue). A network that ends in a mean over places is, for one picture, a sum over them: what a plain picture of the same middle colour has, and what each place adds to that, make the value before sigma+ cuts it off at zero. What a place adds is shared out to the pixels by what they did to it. Of other networks it is how far the value falls when a place is covered. The time and band that are named for a sound are those around its strongest place in which parts are at least half as large.' },
  word_share: { name: 'Words that make a feature', about: 'What each word of the text adds to the feature, with all its places in the text counted together. For one text the network is a sum over its words: these shares, those of all other words and what is there without any word add up to the value before sigma+ cuts it off at zero.' },
  words: { name: 'Words that go with it', about: 'Words in the texts of the items with which the feature is larger (on its negative side: smaller) than without them, the surest first. A word is listed only if words put at random items would reach that in at most one of a hundred features.' },
  class_score: { name: 'Score of a class', about: 'What the classifier compares, also called logit: every feature times the weight that the class gives it, added up, and the bias of the class. The class with the largest score is the prediction.' },
  weight: { name: 'Weight', about: 'What the class gives for one unit of the feature: learned, the same for all items.' },
  added: { name: 'Adds', about: 'Value of the feature times the weight of the class: its part of the score.' },
  bias: { name: 'Bias', about: 'What the class has before any feature is looked at.' },
  share: { name: 'Share', about: 'Squared value of the feature over the squared norm of the item: the shares of an item add up to 100 %.' },
  norm: { name: 'Norm', about: 'Length of the item\'s feature vector.' },
  jaccard: { name: 'Jaccard', about: 'Items where both features fire, over items where at least one does.' },
  lift: { name: 'Lift', about: 'How many times more often both fire together than they would by chance.' },
  selection_lift: { name: 'Lift', about: 'How many times more often the feature fires here than on all items. 1: as often as anywhere.' },
  telling_share: { name: 'Share of what it fires on', about: 'Of all items on which the feature fires, how many are of this group. By chance it would be the share that the group has of all items.' },
  surety: { name: 'Standard errors', about: 'How far the mean of the feature here is above (below: negative) the mean of all items, in standard errors of as many items drawn at random. Random items stay within 2 in 95 of 100 cases for one feature.', unit: 'standard errors' },
  vote: { name: 'k-NN vote', about: 'Each of the nearest other items with a label, by similarity, votes for its class; the most frequent wins, of equals the one of the nearer item.' },
  rank_score: { name: 'Score', about: 'Each feature\'s value times the weight you give it, added up. It has no upper end: compare items, not runs.' },
  cosine: { name: 'Cosine', about: 'Cosine between the two columns of features: 1 is the same up to scale.' },
  rate: { name: 'Rate in class', about: 'Share of the items of a class that are on the positive side of the feature.' },
  active: { name: 'Active features', about: 'Number of features of the item whose magnitude is above 1e-5.' },
  similarity: { name: 'Match', about: 'Cosine between the two matched columns, one of each run. 1: the same up to scale; 0: nothing in common; -1: opposites, one is high where the other is low. The matching makes the sum of the sizes, without sign, as large as it can be.' },
  opposite: { name: 'Opposite', about: 'The match is -0.1 or lower: one feature is high where the other is low. The negative side of one of them is shown beside the positive side of the other.' },
  dead: { name: 'Dead', about: 'Fires on no item.' },
  dense: { name: 'Dense', about: 'Fires on most items, so it tells them apart poorly.' },
  duplicate: { name: 'Duplicate', about: 'Nearly the same as another feature.' },
};

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

/**
 * A parameter of a measure, as the document of `orthant measure` has it.
 * @param {Run} run
 * @param {string} identifier  without its version
 * @param {string} name
 * @returns {unknown}
 */
export function parameter_of(run, identifier, name) {
  const list = run.measures.measures ?? [];
  return list.find(({ id }) => id.split('/')[0] === identifier)?.parameters[name];
}
