#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orthant/core/matrix.h"

namespace orthant::decompose {

// The non-negative lasso of one vector z over atoms C [W, D] with unit rows, by coordinate descent on a growing set of
// words:
//
//   w* = argmin over w >= 0 of |C^T w - z|^2 + lambda sum_j w_j
//
// It sees z only through its products c = C z [W], and C through gram = C C^T [W, W]. At the end, with the gradient
// g = c - gram w: g_j = lambda/2 where w_j > 0 and g_j <= lambda/2 elsewhere, to `tolerance`.
// scikit-learn's Lasso(positive=True) has the same optimum at alpha = lambda / (2 D).
//
// Keeps its memory from row to row; one thread each. Borrows the Gram matrix, which must outlive it.
class NonNegativeLasso {
 public:
  explicit NonNegativeLasso(const Matrix& gram);

  // Begins with another vector: its products with the words, borrowed until the next call. The word `without` is not
  // used; -1: all may be.
  void start(std::span<const float> products, int32_t without = -1);

  // Solves for lambda > 0, from the solution that it has (zero at the start). More than one call goes along a path,
  // which is quickest from large to small lambda.
  void solve(double lambda);

  // Solves for the smallest lambda, to one part in a thousand, at which no more than `active` words are used; returns
  // it. Fewer are used if no positive products remain, or several come in at once.
  double solve_active(int64_t active);

  // Words with w > 0, rising, and their weights.
  struct Code {
    std::vector<int32_t> words;
    std::vector<float> weights;
  };
  Code code() const;
  int64_t active() const;

  static constexpr double kTolerance = 1e-6;

 private:
  void descend(double threshold);
  void take_off();
  bool admit(double threshold);

  const Matrix& gram_;
  std::span<const float> products_;
  std::vector<float> gradient_;  // [W]: products less what the code explains
  std::vector<int32_t> set_;     // words under consideration, in the order they came in
  std::vector<double> weights_;  // of the set
  std::vector<double> block_;    // gram of the set, row by row, stride capacity_
  std::vector<double> inner_;    // products of the set less what the code explains, while descending
  std::vector<char> member_;     // [W]
  std::vector<int32_t> entering_;
  int32_t without_ = -1;
  size_t capacity_ = 0;
};

}  // namespace orthant::decompose
