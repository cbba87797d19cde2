#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "orthant/catalogue/histogram.h"
#include "orthant/words/feature_words.h"

namespace orthant::catalogue {

// What is said of a feature, and by which rule:
//  - it *fires* on an item if |x| > 1e-5, what orthant/measure calls active, rows as they are: firing rate, dead,
//    dense, anchors, silent items and co-firing features. Signed features thus fire nearly everywhere.
//  - where it fires it is on one of two sides, x > 1e-5 or x < -1e-5, which may stand for different things: examples
//    and classes are told of each on its own. Examples are the strongest items of a side; classes are counted by the
//    positive rule of measure/consistency.h and its mirror image, in the row scaled to unit length.
// A non-negative feature has the positive side only.

// An item and the feature's value there.
struct Activation {
  int64_t item = 0;
  float value = 0;
};

// The items on which a feature is negative.
struct NegativeSide {
  double rate = 0;                            // share of items with x < -1e-5
  float min = 0;                              // lowest value over all items
  std::optional<double> consistency = {};     // share of the commonest class; none without labelled items
  std::optional<int64_t> commonest = {};      // that class, of equal ones the lowest
  std::vector<int64_t> top = {};              // at most 12 items, lowest value first, of equal ones the lower item
  std::vector<double> profile = {};           // [C]: share of each class; empty without labels
  std::vector<words::WordEffect> words = {};  // that lower it; empty without texts
};

// A card of the gallery. Where nothing else is said, classes and examples are those of the positive side.
struct FeatureSummary {
  int64_t feature = 0;
  double firing_rate = 0;                      // share of items
  double expected_activation = 0;              // mean over rows scaled to unit length
  float max = 0;                               // largest value over all items, zeros included
  std::optional<double> consistency = {};      // share of the commonest class; none without labelled items
  std::optional<int64_t> commonest = {};       // that class, of equal ones the lowest
  std::optional<double> entropy = {};          // of the classes, in nats
  std::optional<double> monosemanticity = {};  // by a reference; none without, or if it is not on for two items
  int64_t anchors = 0;                         // items of which it is the only feature that fires
  bool dead = false;                           // fires nowhere
  bool dense = false;                          // fires on more than half of the items
  std::optional<int64_t> duplicate_of = {};    // the longer column that this one has a cosine above 0.95 with
  std::vector<int64_t> top = {};               // at most 12 items, strongest first, of equal ones the lower item
  std::vector<double> profile = {};            // [C]: share of each class; empty without labels
  std::vector<words::WordEffect> words = {};   // that raise it, at most 12; empty without texts
  std::optional<NegativeSide> negative = {};   // none if it is negative nowhere
};

// One tenth of the activations of a side; empty if there are less than ten.
struct QuantileBand {
  double from = 0;                     // 0.9
  double to = 0;                       // 1.0
  float low = 0;                       // the weakest of its activations, the one nearest to 0; 0 for an empty one
  float high = 0;                      // the strongest
  std::vector<Activation> items = {};  // at most 8, evenly spaced from the strongest to the weakest
};

// What a feature is to one class.
struct ClassActivation {
  int64_t klass = 0;
  int64_t count = 0;     // items of the class by the positive rule
  double share = 0;      // of all such items that have a class; 0 if there are none
  double rate = 0;       // of the items of the class; 0 if there are none
  double mean = 0;       // of the feature over all items of the class, as they are
  int64_t negative = 0;  // items of the class on the negative side
};

struct SimilarFeature {
  int64_t feature = 0;
  double cosine = 0;  // of the two columns
};

struct CofiringFeature {
  int64_t feature = 0;
  int64_t both = 0;    // items on which both fire
  double jaccard = 0;  // both / at least one
  double lift = 0;     // both N / (firing of one x firing of the other)
};

// A feature's own page.
struct FeatureProfile {
  FeatureSummary summary;
  std::vector<Activation> top;           // at most 24, as in the summary
  std::vector<QuantileBand> quantiles;   // ten, strongest first
  std::vector<Activation> negative_top;  // the same of the negative side; both empty if there is none
  std::vector<QuantileBand> negative_quantiles;
  std::vector<int64_t> silent;            // at most 12 items that do not fire, drawn at random; always the same
  Histogram histogram;                    // 20 ranges over the values where it fires, 0 among the edges' range
  int64_t zeros = 0;                      // items that do not fire
  std::vector<ClassActivation> classes;   // [C]; empty without labels
  std::vector<SimilarFeature> similar;    // at most 8 other live ones, largest cosine first, then lower feature
  std::vector<CofiringFeature> cofiring;  // at most 8 with both > 0, largest jaccard first, then lower feature
  std::vector<Activation> anchor_items;   // at most 12, largest |value| first, then lower item
};

}  // namespace orthant::catalogue
