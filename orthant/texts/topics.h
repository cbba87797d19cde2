#pragma once

#include <cstdint>
#include <string>

#include "orthant/data/dataset.h"

namespace orthant {

struct TopicsOptions {
  int64_t size = 0;             // documents; 0: 8,000 of train and 2,000 of test
  std::string split = "train";  // or test
  uint64_t seed = 0;
};

// A generated corpus with planted topics: documents of three to seven sentences in a kind of English, about one of
// twelve topics, which is the label and the factor "topic". Of their words, half are those of every text; of the others
// most belong to the topic, some to a second one that is drawn anew for every document (the factor "aside"), and some
// to any. So no single word tells the topic, and no two documents share more than it by more than chance. Document i
// depends on nothing but (seed, split, i). std::invalid_argument for a negative size or another split.
DatasetPtr make_topics(const TopicsOptions& options = {});

}  // namespace orthant
