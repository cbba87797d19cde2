#pragma once

#include <cstdint>
#include <string>

#include "learn/nn/model.h"

namespace orthant {

// Starts a text network from word vectors, such as GloVe's: `source` is "npy:FILE.npy,WORDS.txt", an array [V, dims] of
// float16, float32 or float64 and a file whose line k has the word of row k. Each vector is written into the row of the
// word's id; where several words share one, their mean. All are scaled by one factor to the size (root of the mean
// square) that the table had, so that words and n-grams keep learning at the same pace. Lines that are not one word
// after normalisation are passed over, and so are words whose vector is not finite; all other rows keep their values.
// Returns the number of words that were taken.
//
// std::invalid_argument for a source that is not written so, a network that reads no texts, or vectors of another
// length than its own; IoError for what is wrong with the files, among it other counts of vectors and words.
int64_t start_from_word_vectors(Model& model, const std::string& source);

// The length of the vectors of such a source. Throws as above for what is wrong with it or the file of vectors.
int64_t word_vector_dims(const std::string& source);

}  // namespace orthant
