#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "orthant/adapt/recipe.h"
#include "orthant/adapt/statistics.h"
#include "orthant/adapt/vectors.h"
#include "orthant/core/matrix.h"

namespace orthant::adapt {

// Told of work done: what, how much, of how much. May throw, which ends it.
using Working = std::function<void(const std::string& what, int64_t done, int64_t total)>;

// What is learned from, opened and looked through once.
struct Material {
  Vectors vectors;
  std::optional<Vectors> with = {};  // the second tower
  VectorStatistics statistics;
  std::optional<VectorStatistics> with_statistics = {};
  std::vector<int64_t> labels = {};  // [N] or empty; -1: unknown
  std::vector<std::string> class_names = {};
  std::vector<std::string> ids = {};                    // [N] or empty
  std::vector<int64_t> held_out = {};                   // rising
  std::vector<std::pair<int64_t, int64_t>> pairs = {};  // of rows that are learned from
  DenseMatrix<int32_t> neighbours = {};  // [N, n] rows that are learned from, nearest first; rows held out: zeros

  DataShape shape() const;
};

// Opens and checks everything that the recipe names. IoError or std::invalid_argument, naming the file, for rows that
// are not finite, labels, ids, pairs or a second tower that do not fit, too few rows, and for neighbours or pairs
// of vectors that are too many for memory.
Material open_material(const AdaptRecipe& recipe, const Working& working = {});

// Rows that are held out: `count` of them at random, rising; -1: a tenth, at most 2,000.
std::vector<int64_t> held_out_rows(int64_t rows, int64_t count, uint64_t seed);

// Labels and ids of vectors as the recipe of a run has them, checked against the number of rows.
struct RowNames {
  std::vector<int64_t> labels = {};
  std::vector<std::string> class_names = {};
  std::vector<std::string> ids = {};
};
RowNames row_names(const DataOptions& data, const Vectors& vectors);

}  // namespace orthant::adapt
