/**
 * The data that the page shows (API version 1). LiveSource asks the server for it, StaticSource takes it from the file;
 * both have the methods of Source. Runs, features (columns) and items (rows) are integers; null is "not defined".
 *
 * @typedef {{edges: number[], counts: number[]}} Histogram
 *
 * @typedef {{[key: string]: unknown, warnings?: string[], active_per_sample?: number,
 *   measures?: {id: string, parameters: Record<string, unknown>}[]}} Measures
 *   numbers, nested or not
 *
 * @typedef {{by: string, rank: string|null, kept: number, [quantity: string]: unknown}} SweepPoint
 * @typedef {{points?: SweepPoint[], files?: {points: SweepPoint[]}[]}} Selection
 *
 * @typedef {object} Run
 * @property {number} run
 * @property {string} name
 * @property {string} path
 * @property {string} method
 * @property {number} features
 * @property {boolean} sparse
 * @property {[string, string, string, string][]} recipe  section, key, value, help
 * @property {Record<string, number>[]} curves  one for each epoch
 * @property {Measures} measures  the document of `orthant measure`
 * @property {Selection|null} selection  the document of `orthant select --sweep --json`, or of one file of it
 * @property {{sparsity?: Histogram, consistency?: Histogram}} histograms
 * @property {{order: number[], size: number, values: string}} correlation
 * @property {ReadOut|null} classifier  what the classifier of a supervised run does
 * @property {Adapted|null} [adapter]  what codes of given vectors keep of them; null for other runs
 * @property {string[]} queries  what its models take besides the items: 'picture', 'text', 'sound'
 * @property {string[]} maps
 *
 * @typedef {{code: string, active_per_row: number|null, explained_variance: number|null, one_nn: number|null, knn_20: number|null,
 *   precision_at_10?: number|null, recall_of_dense_10: number|null, dead_share: number|null, pairs?: Record<string, number>}} Kept
 * @typedef {{held_out: number, bank: number, retained: Kept[], chance?: Kept|null}} Adapted  result.json of `orthant adapt`
 *
 * @typedef {{feature: number, activation: number, weight: number, value: number}} ScorePart  `value` is their product
 *
 * @typedef {object} Score  why a class has its score: parts, bias and what the other features add make the sum
 * @property {number} class
 * @property {number|null} score  null, as the bias, for a class that is never predicted
 * @property {number|null} bias
 * @property {ScorePart[]} parts  the largest, without sign
 * @property {{features: number, value: number}} others
 *
 * @typedef {object} ReadOut
 * @property {number} judged  items with a label
 * @property {number} unlabelled
 * @property {number|null} accuracy
 * @property {number|null} commonest  what naming the most frequent class always would reach
 * @property {number|null} worst  class of lowest recall
 * @property {(number|null)[]} recall
 * @property {(number|null)[]} precision
 * @property {number[][]|null} counts  items of class (row) that were taken for (column); null if there are too many classes
 * @property {{label: number, predicted: number, items: number, share: number}[]} mistakes
 * @property {(Score & {items: number})[]} carried  for each class, its mean score over its own items
 *
 * @typedef {Score & {runner_up: {class: number, score: number}|null}} Prediction
 *
 * @typedef {object} Overview
 * @property {number} api
 * @property {string} orthant
 * @property {string} generated
 * @property {{spec: string, split: string, items: number, items_shown?: number, classes: string[],
 *   has_pictures: boolean, has_texts: boolean, has_sounds?: boolean, picture: {width: number, height: number, channels: number}|null}} data
 * @property {Run[]} runs
 *
 * @typedef {{word: string, items: number, with: number, without: number}} Word  a word that goes with a feature: how many
 *   items have it, and the mean of the feature over these and over all others
 *
 * @typedef {object} NegativeSide  the items where a feature is below -1e-5
 * @property {number} rate  share of all items
 * @property {number} min
 * @property {number|null} consistency
 * @property {number|null} class
 * @property {number[]} top
 * @property {number[]} profile
 * @property {Word[]} words  that lower the feature; none without texts
 *
 * @typedef {object} Feature  where nothing else is said, classes and `top` are those of the positive side
 * @property {number} feature
 * @property {string} name
 * @property {string} note
 * @property {number} firing_rate
 * @property {number} expected_activation
 * @property {number} max
 * @property {number|null} consistency
 * @property {number|null} class
 * @property {number|null} entropy
 * @property {number|null} [monosemanticity]  by a reference, if there is one
 * @property {number} anchors
 * @property {string[]} flags
 * @property {number|null} duplicate_of
 * @property {number[]} top
 * @property {number[]} profile
 * @property {Word[]} words  that raise the feature, the surest first; none without texts
 * @property {NegativeSide|null} negative  null: it is negative nowhere
 *
 * @typedef {[string, number]} Mark  a word, and what it adds to a feature
 *
 * @typedef {{item: number, value: number, marks?: Mark[], snippet?: string}} Valued  with `marks`, what raises the
 *   feature in the item's text, and `snippet`, the part of it that they stand in
 *
 * @typedef {{feature: number, value: number, words: Mark[], others: number, rest: number}} FeatureMarks  how a text
 *   comes to a feature: words, all `others`, and the `rest` that biases add, make the value before sigma+
 *
 * @typedef {{from: number, to: number, low: number, high: number, items: Valued[]}} Band
 *
 * @typedef {object} FeaturePage
 * @property {Valued[]} top
 * @property {Band[]} quantiles
 * @property {(Omit<NegativeSide, 'top'> & {top: Valued[], quantiles: Band[]})|null} negative
 * @property {number[]} silent
 * @property {Histogram & {zeros: number}} histogram
 * @property {{class: number, count: number, share: number, rate: number, mean: number,
 *   negative: number}[]} classes  `negative`: how many items of the class are on the negative side
 * @property {{feature: number, cosine: number}[]} similar
 * @property {{feature: number, both: number, jaccard: number, lift: number}[]} cofiring
 * @property {Valued[]} anchor_items
 *
 * @typedef {Omit<Feature, 'top'|'negative'> & FeaturePage} FeatureDocument  the fields of Feature, but `top` with values
 *
 * @typedef {{item: number, id: string, label: number|null, active: number}} ItemSummary
 *
 * @typedef {object} Item
 * @property {number} item
 * @property {string} id
 * @property {string[]} texts  what is written of it, such as captions, or the item itself; none without texts
 * @property {FeatureMarks[]} [marks]  how it comes to its strongest features; of texts that are read as bags of words
 * @property {number|null} label
 * @property {number} active  features whose magnitude is above 1e-5
 * @property {number} norm
 * @property {{feature: number, value: number, share: number}[]} features
 * @property {{item: number, score: number}[]} neighbours
 * @property {{item: number, score: number}[]} [links]  of a node of a graph: those it is linked to, the most alike first
 * @property {Prediction|null} prediction  what the classifier of a supervised run takes it for
 *
 * @typedef {{feature: number, a: number, b: number, contribution: number}} Part
 * @typedef {{a: number, b: number, score: number, parts: Part[], shared: number}} Explanation
 *
 * @typedef {{feature: number, firing: number, firing_others: number, mean: number, mean_others: number,
 *   deviation: number}} FeatureContrast  among chosen items and among all others: where it fires, and its mean; and its
 *   standard deviation over all
 * @typedef {{items: number, others: number, features: FeatureContrast[]}} Contrast
 *
 * @typedef {{feature: number, value: number}} Change  another value of a feature
 * @typedef {{item: number, score: number, was: number}} ChangedMatch  a similarity after a change and before
 * @typedef {object} Changed  an item as it would be with other values of some features
 * @property {number} item
 * @property {number} active
 * @property {number} norm
 * @property {{feature: number, value: number, share: number}[]} features
 * @property {ChangedMatch[]} neighbours  the nearest after the change
 * @property {ChangedMatch[]} before  those that were the nearest
 * @property {Prediction|null} prediction
 *
 * @typedef {Omit<ReadOut, 'carried'> & {k: number}} Vote  what items are taken for by a vote of their k nearest others
 *
 * @typedef {{name: string, score: number, chance: number, from: string}} Proposed  by `orthant name`; nats for each item
 * @typedef {{name: string, note: string, proposed?: Proposed}} Label
 * @typedef {Omit<Item, 'item'|'id'|'texts'|'marks'|'links'|'label'|'prediction'> & {with: number, score: number, parts: Part[]}} OwnItem  a
 *   picture or a text of one's own, and why it matches item `with`
 *
 * @typedef {{a: number, b: number, similarity: number, cosine: number}} Pair  `similarity` is the size of the cosine
 * @typedef {{pairs: Pair[], mean: number, mean_of_pairs: number|null, live: [number, number]}} Comparison
 *
 * @typedef {{image: CanvasImageSource, x: number, y: number, width: number, height: number}} Crop
 *   where the picture of an item is found, pixel for pixel
 *
 * @typedef {object} Suspect  an item to look at
 * @property {string} kind  'label', 'duplicate', 'leak', 'outlier' or 'empty'
 * @property {number} item
 * @property {number} score  from 0 to 1, within its kind
 * @property {number|null} label
 * @property {number} [suggested]  of kind label: the likelier class, and below the probabilities of both
 * @property {number} [own]
 * @property {number} [likelier]
 * @property {{feature: number, value: number}[]} [reasons]  what features add to the suggested class beyond the label
 * @property {number} [other]  the item that it is like
 * @property {number} [distance]  as a multiple of what is usual
 *
 * @typedef {{items: number, kinds: {kind: string, count: number, words: string}[], suspects: Suspect[], left_out?: string}} Clean
 *   `suspects`: the surest of each kind; `left_out`: why there are none at all
 *
 * @typedef {{seconds: [number, number], hz: [number, number], seen: [number, number]}} SoundAxes  what the sides of the
 *   picture of a sound stand for, and from when to when the network heard it
 * @typedef {{seconds: [number, number], hz: [number, number], share: number, words: string}} SoundPlace  a rectangle in
 *   it, and what share of all that adds lies there
 *
 * @typedef {{feature?: number, with?: number, value: number, rest: number, place?: SoundPlace|null, parts: Float32Array}} HeatMap
 *   what each place adds to what a plain picture has, `rest`; if the method is additive, parts and rest are the value;
 *   `place`: of a sound, where most is added
 *
 * @typedef {object} Where  where in a picture features fire
 * @property {'additive'|'occlusion'} method
 * @property {[number, number]} grid  rows and columns of places
 * @property {[number, number, number, number]} box  what the network saw: left, top, width, height, in shares of the picture
 * @property {[number, number]|null} picture  its width and height in pixels
 * @property {SoundAxes} [sound]  of a sound
 * @property {HeatMap[]} maps  of features
 * @property {HeatMap|null} match  of the similarity to another item
 *
 * @typedef {object} Source
 * @property {boolean} live
 * @property {() => Promise<Overview>} overview
 * @property {(run: number) => Promise<Feature[]>} features
 * @property {(run: number, feature: number) => Promise<FeatureDocument>} feature
 * @property {(run: number, page: {offset: number, limit: number, class?: number|null}) =>
 *   Promise<{total: number, items: ItemSummary[]}>} items
 * @property {(run: number, item: number) => Promise<Item>} item
 * @property {(run: number, a: number, b: number) => Promise<Explanation>} explain
 * @property {(run: number) => Promise<Clean>} clean  items to look at
 * @property {(run: number, layout: string) => Promise<Float32Array>} map  [N, 2] in -1 .. 1
 * @property {(run: number, feature: number) => Promise<Float32Array>} activations
 * @property {(run: number, chosen: Uint8Array) => Promise<Contrast>} contrast  of the items where `chosen` is not 0
 * @property {(run: number, items: number[]) => Promise<import('./sparse_rows.js').SparseRows>} rows_of  theirs, in this order
 * @property {(run: number, item: number, changes: Change[]) => Promise<Changed>} changed
 * @property {(run: number) => Promise<Vote|null>} vote  null without classes
 * @property {() => Promise<Int32Array>} labels
 * @property {() => Promise<string[]>} ids  what each item is called
 * @property {() => Promise<string[]>} texts  the first text of each item, or its beginning; none at all without texts
 * @property {(item: number) => Promise<Crop>} picture
 * @property {(item: number) => boolean} has_sound  whether it can be heard
 * @property {(item: number) => Promise<string>} sound  an address that an audio element plays
 * @property {(run: Run) => boolean} has_where  whether it is known where features of a run fire in pictures
 * @property {(run: number, item: number, wanted: {features: number[], with?: number}) => Promise<Where|null>} where
 *   of those features for which it is known; null if of none
 * @property {(a: number, b: number) => Promise<Comparison>} compare
 * @property {(text: string) => Promise<number|null>} find  the item of this id
 * @property {(run: number) => Promise<Record<string, Label>>} names
 * @property {(run: number, feature: number, label: Label, expected: Label) => Promise<Label|null>} rename
 *   null; or, if the feature is not called `expected` any more, what it is called, which still stands
 * @property {() => string} where_names_are  in words, after one was saved
 * @property {(run: number, file: File, item?: number) => Promise<OwnItem>} [embed]  `item`: what to explain, or the
 *   nearest;  live only
 * @property {(run: number, text: string, item?: number) => Promise<OwnItem>} [ask]  the same for a text
 */
export {};
