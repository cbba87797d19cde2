#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orthant/core/features.h"

namespace orthant::fit {

// The linear map x -> U^T x + c of rows to logits: `weights` is U [D, C] row by row, `offset` c [C].
struct LinearMap {
  std::vector<float> weights;
  std::vector<float> offset;
};

// Logits of rows [begin, end) into `out` [end - begin, C]. One thread, no allocation; safe from several threads.
void map_rows(const Features& features, const LinearMap& map, int64_t begin, int64_t end, float* out);

// What a row is trained for: its class 0 .. C-1 and its weight. A row of weight 0 takes no part.
struct Targets {
  std::vector<int32_t> classes;
  std::vector<float> weights;
};

// The regularised cross-entropy as a function of p = (V [D, C], b [C]), the classifier of the centred features
// (x - mean) / scale. Neither is ever formed: U = V / scale and c = b - U^T mean act on the rows as they are, so sparse
// rows stay sparse. Centring leaves the minimum where it is, b being free, and makes it quicker to reach.
class LogisticObjective {
 public:
  // Weighted mean and, if `standardise`, weighted deviation of each feature; at least one row has a weight. Borrows
  // features and targets.
  LogisticObjective(const Features& features, const Targets& targets, int64_t classes, bool standardise, int threads);

  int64_t parameters() const { return (features_.cols() + 1) * classes_; }

  // Value at p, and its gradient. The result does not depend on the number of threads: rows are summed in fixed chunks,
  // chunks in order.
  double operator()(std::span<const double> p, std::span<double> gradient, double l2) const;

  // The map that parameters p stand for, in float64 for the caller to round.
  std::vector<double> unscaled_weights(std::span<const double> p) const;  // U [D, C]
  std::vector<double> unscaled_offset(std::span<const double> p) const;   // c [C]

 private:
  struct Chunk;
  LinearMap map_of(std::span<const double> p) const;
  void add_rows(const LinearMap& map, int64_t begin, int64_t end, Chunk& chunk) const;

  Features features_;
  const Targets& targets_;
  int64_t classes_;
  int threads_;
  double total_weight_ = 0;
  std::vector<double> mean_;
  std::vector<double> scale_;
};

}  // namespace orthant::fit
