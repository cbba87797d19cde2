#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orthant/clean/suspect.h"
#include "orthant/core/features.h"
#include "orthant/search/neighbours.h"

namespace orthant::clean {

// The defaults were chosen on 12,000 pictures of CIFAR-10 with features that were not learned (docs/clean.md).
struct CleanOptions {
  int64_t neighbours = 20;      // that vote for a class
  int64_t folds = 5;            // of the probe
  double low_confidence = 0.2;  // a label is suspect below this share of the mean confidence in its class
  // A duplicate is nearer than this share of the distance to the tenth nearest item, and so near that by chance this
  // share of the items would be.
  double near_ratio = 0.7;
  double near_chance = 0.01;
  double far_deviations = 4;  // an outlier is this many robust deviations farther from its nearest than usual
  int64_t reasons = 4;        // features given for a suggestion, at most
  uint64_t seed = 0;          // of the folds
  int threads = 0;
  // What is in hand ("neighbours", "probe") and how far; from one thread at a time. May throw, which ends the work.
  std::function<void(const std::string& what, int64_t done, int64_t total)> progress = nullptr;
};

// How labels were judged.
struct LabelFacts {
  std::string left_out = {};  // why they were not; empty: they were
  int64_t judged = 0;         // items with a label
  double agreement = 0;       // share of labels that are the likeliest class
  double chance = 0;          // the same for a judge that always says the commonest class
};

// How near and far were judged.
struct DistanceFacts {
  double usual = 0;                // median distance to the nearest item
  double dimension = 0;            // how many directions items lie around each other in, as distances tell
  double duplicates_expected = 0;  // items as near to another by chance, at most
  double far = 0;                  // median of the mean distance to the ten nearest
  double outliers_expected = 0;    // if these distances were normally distributed
};

struct CleanReport {
  int64_t items = 0;
  std::vector<Suspect> suspects;  // by kind in the order of Kind, the surest first; an item once in each kind at most
  LabelFacts labels;
  DistanceFacts distances;

  int64_t count(Kind kind) const;
};

// Looks for items [N, D] that a person should look at. Nothing is known but features and labels ([N], -1 for none, or
// empty), and for leaks features [M, D] of a bank.
//
// Labels: the probability of each class is the mean of two judges that have not seen the item's own label, the votes of
// its nearest neighbours by cosine and a linear probe fitted on other folds. A label is suspect if its probability is
// low beside the mean that labels of this class get (as in confident learning) and another class is likelier.
// Near: distances are between rows of unit length; see CleanOptions. Rows without features are `empty` and nothing
// else.
//
// The result does not depend on the number of threads but for the last digits of the probe. std::invalid_argument if
// lengths or widths differ, an entry is NaN or infinite, or a label is below -1.
CleanReport find_suspects(const Features& features, std::span<const int64_t> labels, std::optional<Features> bank = {},
                          const CleanOptions& options = {});

// The same where the nearest items of each by cosine, ten or more and without itself, are known already.
CleanReport find_suspects(const Features& features, std::span<const int64_t> labels, const search::Neighbours& found,
                          std::optional<Features> bank = {}, const CleanOptions& options = {});

}  // namespace orthant::clean
