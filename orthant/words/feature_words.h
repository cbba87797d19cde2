#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orthant/core/features.h"
#include "orthant/words/word_table.h"

namespace orthant::words {

// What a feature is with a word and without it.
struct WordEffect {
  std::string word;
  int64_t items = 0;    // that have the word
  double with = 0;      // mean of the feature over them
  double without = 0;   // mean over all others
  double evidence = 0;  // against chance, see feature_words()
};

// The words that go with one feature, most evidence first, then in the order of the alphabet.
struct FeatureWords {
  std::vector<WordEffect> raising;   // the feature is larger with them
  std::vector<WordEffect> lowering;  // the feature is smaller with them
};

struct FeatureWordsOptions {
  int64_t most = 12;     // words of each list
  double chance = 0.01;  // at which a word would be listed for a feature that has nothing to do with any
  int threads = 0;       // 0: what the machine offers; results do not depend on it
};

// The words of each feature [N, D], by the items of the table.
//
// If a word stood at n of the N items at random, how likely would the feature's mean over them be that far from its
// mean over all? With variance s^2 of the feature over all items, b the distance from its mean to its largest value,
// and t that of the two means, the chance is at most exp(-e) by Bennett's inequality (which holds for draws without
// replacement, Hoeffding 1963),
//   e = n s^2 / b^2 h(b t / s^2),  h(u) = (1 + u) ln(1 + u) - u.
// The items without the word give a bound on the same event; the evidence is the larger e of the two. It grows with the
// number of items and with the difference, so a word of three items that happen to fire does not win, and one that
// stands everywhere has none. Words are listed from e >= ln(V / chance) on, because V words were tried.
// std::invalid_argument if the features are not of as many items as the table.
std::vector<FeatureWords> feature_words(const Features& features, const WordTable& table,
                                        const FeatureWordsOptions& options = {});

}  // namespace orthant::words
