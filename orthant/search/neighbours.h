#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "orthant/core/features.h"
#include "orthant/core/matrix.h"

namespace orthant::search {

enum class Metric {
  cosine,         // of the angle between the rows; 0 with a row of zeros. Larger is nearer.
  inner_product,  // larger is nearer
  squared_l2,     // smaller is nearer
};

struct NeighbourOptions {
  int64_t k = 10;  // neighbours per query, from 1; lowered to the number of rows there are to find
  Metric metric = Metric::cosine;
  bool exclude_self = false;  // query i does not find row i of the bank, wherever it would have ranked
  int threads = 0;            // 0: what the machine offers

  // Only these columns count, without repetition, in any order; none given: all of them. An empty list leaves nothing
  // to compare: all scores are 0.
  std::optional<std::vector<int64_t>> columns = std::nullopt;

  // With cosine and columns: rows are scaled to unit length over the columns kept (true) or over all of them (false),
  // where the score is the share of the full cosine that the columns kept contribute.
  bool renormalise = true;

  // Told about work done, in queries: done rises to total. Called from one thread at a time, any of them. May throw,
  // which ends the search with that exception.
  std::function<void(int64_t done, int64_t total)> progress = nullptr;
};

// For each of Q queries its k nearest rows, nearest first. Equal scores rank by lower index.
struct Neighbours {
  DenseMatrix<int32_t> indices;  // [Q, k] rows of the bank
  Matrix scores;                 // [Q, k] cosine, inner product or squared distance
  bool self_excluded = false;

  int64_t queries() const { return indices.rows(); }
  int64_t k() const { return indices.cols(); }
};

// The exact k nearest rows of the bank [N, D] for every row of the queries [Q, D]; either may be dense or sparse, and
// both may be the same. Which rows are found is decided in single precision (sums of products in the order of the
// columns), the scores given and their order are computed in double precision and rounded. The result is the same for
// any number of threads, and for a sparse matrix as for its dense twin.
//
// Dense features with many zeros are searched as sparse ones by themselves. Memory beyond the arguments and the result:
// 12 k bytes per query and a packed part of the bank, at most 64 MB; the matrix [Q, N] never exists.
//
// std::invalid_argument if widths differ, k < 1, a column is out of range or given twice, an entry is NaN or infinite,
// exclude_self is asked for with more queries than rows, or the bank has 2^31 rows or more.
Neighbours neighbours(const Features& bank, const Features& queries, const NeighbourOptions& options = {});

}  // namespace orthant::search
