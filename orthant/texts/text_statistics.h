#pragma once

#include <cstdint>

#include "orthant/data/dataset.h"

namespace orthant {

// What the texts of a data set are like.
struct TextStatistics {
  int64_t texts = 0;
  int64_t words = 0;
  int64_t vocabulary = 0;    // different words
  int64_t median_words = 0;  // of a text; the lower of two in the middle
  int64_t most_words = 0;
};

// Counts words_of() every text, however many there are. `threads`: 0 is all; they do not change the result.
// std::invalid_argument for a data set of pictures or vectors.
TextStatistics text_statistics(const Dataset& dataset, int threads = 0);

}  // namespace orthant
