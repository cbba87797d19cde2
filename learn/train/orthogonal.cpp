#include "learn/train/orthogonal.h"

#include <ATen/ATen.h>

namespace orthant {

// s -> a s + b s^3 + c s^5 takes small singular values up fast and keeps those near 1 near it. Every step multiplies
// from the left by a polynomial of X X', so steps are taken among the rows alone, whose square is small beside the
// matrix.
at::Tensor orthogonal(const at::Tensor& matrix) {
  constexpr int kSteps = 5;
  constexpr double kA = 3.4445;
  constexpr double kB = -4.7750;
  constexpr double kC = 2.0315;
  constexpr double kGuard = 1e-20;
  const bool tall = matrix.size(0) > matrix.size(1);
  at::Tensor x = tall ? matrix.t() : matrix;
  x = x / x.norm().clamp_min(kGuard);
  at::Tensor gram = at::mm(x, x.t());
  at::Tensor product;
  for (int step = 0; step < kSteps; ++step) {
    at::Tensor factor = at::addmm(gram, gram, gram, kB, kC);
    factor.diagonal().add_(kA);
    product = step == 0 ? factor : at::mm(factor, product);
    if (step + 1 < kSteps) gram = at::mm(at::mm(factor, gram), factor);
  }
  x = at::mm(product, x);
  return tall ? x.t() : x;
}

}  // namespace orthant
