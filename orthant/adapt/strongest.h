#pragma once

#include <cstdint>
#include <vector>

namespace orthant::adapt {

// One feature of one row: its pre-activation.
struct Hit {
  int32_t feature = 0;
  float value = 0;
};

// Finds the largest positive entries of rows without sorting them: one pass with a guess of the threshold, learned from
// the rows before, and a selection among the few that pass it. What is found does not depend on the guess. One thread.
class Strongest {
 public:
  explicit Strongest(int64_t features);

  // The `count` largest of values[i] + bias[i] that are above 0, fewer if there are not as many; of equal ones those of
  // the lower i. `out` gets the largest `first` of them, by rising feature, and behind them the others, likewise.
  // Returns how many were the first.
  int64_t find(const float* values, const float* bias, int64_t count, int64_t first, std::vector<Hit>& out);

  // The same among the features of the list alone.
  void find_among(const std::vector<int32_t>& list, const float* values, const float* bias, int64_t count,
                  std::vector<Hit>& out);

  // Everything above `threshold`, by rising feature.
  void find_all(const float* values, const float* bias, float threshold, std::vector<Hit>& out);

 private:
  int64_t take(int64_t hits, int64_t count);

  int64_t features_;
  float guess_ = 0;
  std::vector<int32_t> found_;
  std::vector<float> sums_;
  std::vector<uint64_t> keys_;  // larger value, then lower feature: the larger key
};

}  // namespace orthant::adapt
