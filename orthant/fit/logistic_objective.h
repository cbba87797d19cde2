#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orthant/core/features.h"

namespace orthant::fit {

// The linear map x -> U^T x + c of rows to logits: `weights` is U [D, C] row by row, `offset` c [C].
struct LinearMap {
  std::vector<float> weights;
  std::vector<double> offset;
};

// Logits of rows [begin, end) into `out` [end - begin, C]; of sparse rows they are summed in double. One thread; safe
// from several threads.
void map_rows(const Features& features, const LinearMap& map, int64_t begin, int64_t end, float* out);

// What a row is trained for: its class 0 .. C-1 and its weight. A row of weight 0 takes no part.
struct Targets {
  std::vector<int32_t> classes;
  std::vector<float> weights;
};

// (l2 / 2) |W|^2 of the classifier's weights, or of those that act on features divided by their deviation.
struct Penalty {
  double l2 = 0;
  bool standardise = false;
};

// The regularised cross-entropy as a function of p = (V [D, C], b [C]), the classifier of the features
// (x - mean) / scale. These are variables to search in only: neither mean nor scale moves the minimum, b being free and
// the penalty being that of the weights it names, but a search among features of any mean and size gets there.
// `scale` is the deviation where the penalty is on standardised features, and otherwise sqrt(variance + 4 l2), in which
// loss and penalty together curve alike along every weight.
//
// Dense rows are centred and scaled a block at a time. Sparse ones never are: U = V / scale and c = b - U^T mean act on
// them as they are, in double, where large means cancel without harm.
class LogisticObjective {
 public:
  // Weighted means and deviations of the features; at least one row has a weight. Borrows features and targets.
  LogisticObjective(const Features& features, const Targets& targets, int64_t classes, const Penalty& penalty,
                    int threads);

  int64_t parameters() const { return (features_.cols() + 1) * classes_; }

  // Value at p, and its gradient. The result does not depend on the number of threads: rows are summed in fixed chunks,
  // chunks in order.
  double operator()(std::span<const double> p, std::span<double> gradient) const;

  // The map of features as they are that parameters p stand for: U and c, which makes up for U's rounding at the mean.
  LinearMap map_of(std::span<const double> p) const;

 private:
  struct Chunk;
  void measure_features(const Penalty& penalty);
  LinearMap inner_map(std::span<const double> p) const;
  void centre(const Matrix& x, int64_t begin, int64_t end, float* out) const;
  void add_rows(const LinearMap& map, int64_t begin, int64_t end, Chunk& chunk) const;

  Features features_;
  const Targets& targets_;
  int64_t classes_;
  int threads_;
  double total_weight_ = 0;
  std::vector<float> mean_;
  std::vector<float> factor_;    // 1 / scale
  std::vector<double> penalty_;  // on V, by feature
};

}  // namespace orthant::fit
