#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

namespace orthant::loss {

// The mean of f(a, b), scalars, over ordered pairs of different views; rows v * B + b of both matrices are of view v,
// and f takes the B rows of a view of each.
template <class Pair>
at::Tensor mean_over_ordered_pairs(const at::Tensor& from, const at::Tensor& to, int64_t views, const Pair& f) {
  const std::vector<at::Tensor> first = at::chunk(from, views);
  const std::vector<at::Tensor> second = at::chunk(to, views);
  at::Tensor sum;
  for (size_t a = 0; a < first.size(); ++a) {
    for (size_t b = 0; b < second.size(); ++b) {
      if (a == b) continue;
      const at::Tensor term = f(first[a], second[b]);
      sum = sum.defined() ? sum + term : term;
    }
  }
  return sum / static_cast<double>(views * (views - 1));
}

}  // namespace orthant::loss
