#pragma once

#include <cstdint>
#include <functional>

#include "orthant/core/matrix.h"
#include "orthant/core/sparse_matrix.h"
#include "orthant/layout/curve.h"

namespace orthant::layout {

struct ForceOptions {
  Curve curve;
  int64_t epochs = 200;
  uint64_t seed = 0;
  int threads = 0;  // 0: what the machine offers

  // Told after every epoch; may throw, which ends the work.
  std::function<void(int64_t done, int64_t total)> progress = nullptr;
};

// Moves points [N, 2] until neighbours of the graph [N, N] (symmetric, weights in (0, 1], empty diagonal) lie close and
// others apart: stochastic gradient descent on UMAP's cross entropy. An edge of weight w pulls in w of the epochs,
// evenly spread; each pull comes with five pushes from points drawn at random. Steps shrink linearly to nothing.
//
// In an epoch every point goes through its pulls and pushes one by one, as it would in a sequential descent, while all
// others stay where they were when the epoch began: what happens does not depend on the order of the points, so neither
// on the number of threads. Draws are keyed by (seed, epoch, point).
void move_by_forces(const SparseMatrix& graph, const ForceOptions& options, Matrix& points);

}  // namespace orthant::layout
