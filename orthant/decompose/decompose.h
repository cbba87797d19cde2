#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "orthant/core/features.h"
#include "orthant/core/matrix.h"
#include "orthant/core/sparse_matrix.h"
#include "orthant/decompose/dictionary.h"

namespace orthant::decompose {

struct DecomposeOptions {
  double lambda = 0;   // of |C^T w - z|^2 + lambda sum w; 0: `active` words for each row instead
  int64_t active = 8;  // words of a row: its own lambda is the smallest at which there are no more
  // [D], taken off each row at unit length before it is brought to unit length again; empty: nothing is.
  std::vector<double> centre = {};
  std::vector<int32_t> without = {};  // [N]: a word that each row may not use, such as itself; -1: none
  int threads = 0;                    // 0: what the machine offers; the result does not depend on it
  std::function<void(int64_t done, int64_t total)> progress = {};  // on the calling thread; may throw to stop
};

// Rows as non-negative sums of few words.
struct Decomposition {
  std::variant<Matrix, SparseMatrix> code;  // [N, W]
  double active = 0;                        // mean number of words of a row
  int64_t empty_rows = 0;                   // without any word
  int64_t words_used = 0;                   // by one row at least
  double lambda = 0;                        // mean over rows
  double cosine_centred = 0;                // mean cosine of what the words add up to with the row, both centred
  double cosine = 0;  // mean cosine with the row as it came: n(n(C^T w) + centre), the centre alone if no word is on
  double cosine_centre = 0;  // the same for the centre alone: what no word at all would give; 0 without a centre
};

// Codes of vectors [N, D], row by row: memory for the code, and some rows. `name` is told in messages.
// std::invalid_argument for another width than the dictionary's, no rows, a row that is zero or not finite, and options
// out of range. A row that equals the centre has no words.
Decomposition decompose(const Features& vectors, const Dictionary& dictionary, const std::string& name,
                        const DecomposeOptions& options = {});

}  // namespace orthant::decompose
