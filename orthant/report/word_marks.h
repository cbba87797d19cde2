#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orthant/catalogue/catalogue.h"

namespace orthant::report {

// Which words make the features of items that are texts, of a run whose model reads bags of words (see
// orthant/words/bag_reader.h). JSON text like that of documents.h.

// Whether there is anything to tell: the run has such a model, and the items have texts.
bool has_word_marks(const catalogue::Catalogue& run);

// For each of `items`, what raises feature f there: [{"words": [[word, share], ...], "snippet": text}, ...]: at most 12
// words, the largest share first, and the part of the text in which the first of them stands. "[]" if there is nothing
// to tell.
std::string feature_marks_document(const catalogue::Catalogue& run, int64_t f, const std::vector<int64_t>& items);

// How item i comes to its strongest features, at most six: [{"feature", "value", "words": [[word, share], ...],
// "others", "rest"}, ...]: at most 12 words of the largest shares by size, what all others add, and what biases do;
// together they are the value before sigma+. "[]" if there is nothing to tell.
std::string item_marks_document(const catalogue::Catalogue& run, int64_t i);

}  // namespace orthant::report
