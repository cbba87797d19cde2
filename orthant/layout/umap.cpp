#include "orthant/layout/umap.h"

#include <algorithm>

#include "orthant/core/error.h"
#include "orthant/core/rng.h"
#include "orthant/layout/curve.h"
#include "orthant/layout/forces.h"
#include "orthant/layout/frame.h"
#include "orthant/layout/neighbour_graph.h"
#include "orthant/linalg/principal.h"

namespace orthant::layout {
namespace {

constexpr int64_t kWhole = 1000;         // of the work, as progress counts it
constexpr double kSearch = 0.4;          // of it, roughly, for finding neighbours
constexpr float kStart = 10;             // half the width of the layout to start from
constexpr double kJitter = 1e-3;         // tells equal items apart at the start
constexpr uint16_t kJitterUse = 0xff40;  // the stream of random numbers

void check_options(const UmapOptions& options) {
  check(options.k >= 1, "[umap_layout] expected k of at least 1, got ", options.k);
  check(options.min_dist >= 0 && options.min_dist <= 1, "[umap_layout] expected min_dist from 0 to 1, got ",
        options.min_dist);
  check(options.epochs >= 0 && options.epochs <= 1'000'000, "[umap_layout] expected 0 to 1000000 epochs, got ",
        options.epochs);
}

// Small sets gain from more of them and can afford it.
int64_t usual_epochs(int64_t rows) { return std::clamp<int64_t>(2'000'000 / std::max<int64_t>(rows, 1), 200, 500); }

// The part of the work from `from` to `to`, told in thousandths of the whole.
std::function<void(int64_t, int64_t)> part_of(const UmapOptions& options, double from, double to) {
  if (!options.progress) return nullptr;
  return [&options, from, to](int64_t done, int64_t total) {
    const double share = static_cast<double>(done) / static_cast<double>(std::max<int64_t>(total, 1));
    options.progress(static_cast<int64_t>(static_cast<double>(kWhole) * (from + (to - from) * share)), kWhole);
  };
}

Matrix start(const Features& features, const UmapOptions& options) {
  Matrix points =
      frame(linalg::scores(linalg::principal_components(features, options.threads), features, options.threads));
  for (int64_t i = 0; i < points.rows(); ++i) {
    Rng rng({.seed = options.seed, .sample = static_cast<uint64_t>(i), .view = kJitterUse});
    for (float& x : points.mutable_row(i)) x = kStart * x + static_cast<float>(kJitter * rng.normal());
  }
  return points;
}

Matrix64 widened(const Matrix& points) {
  Matrix64 wide(points.rows(), points.cols());
  std::ranges::copy(points.values(), wide.mutable_values().begin());
  return wide;
}

}  // namespace

Matrix umap_layout(const Features& features, const UmapOptions& options) {
  check_options(options);
  check_finite(features, "umap_layout");
  const double searched = options.neighbours == nullptr ? kSearch : 0;
  SparseMatrix graph;
  if (options.neighbours != nullptr) {
    graph = neighbour_graph(features, *options.neighbours, options.k, options.threads);
  } else {
    const auto found = search::neighbours(
        features, features,
        {.k = options.k, .exclude_self = true, .threads = options.threads, .progress = part_of(options, 0, searched)});
    graph = neighbour_graph(features, found, options.k, options.threads);
  }
  Matrix points = start(features, options);
  move_by_forces(graph,
                 {.curve = fit_curve(options.min_dist),
                  .epochs = options.epochs > 0 ? options.epochs : usual_epochs(features.rows()),
                  .seed = options.seed,
                  .threads = options.threads,
                  .progress = part_of(options, searched, 1)},
                 points);
  return frame(widened(points));
}

}  // namespace orthant::layout
