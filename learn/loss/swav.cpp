#include "learn/loss/swav.h"

#include <ATen/ATen.h>

#include <vector>

#include "learn/loss/view_pairs.h"

namespace orthant::loss {

at::Tensor sinkhorn(const at::Tensor& scores, double epsilon, int64_t iterations) {
  const at::NoGradGuard no_gradients;
  at::Tensor logarithms = scores.detach() / epsilon;
  for (int64_t i = 0; i < iterations; ++i) {
    logarithms = logarithms - at::logsumexp(logarithms, 0, true);
    logarithms = logarithms - at::logsumexp(logarithms, 1, true);
  }
  return logarithms.exp();
}

at::Tensor swav(const at::Tensor& scores, int64_t views, const LossOptions& options, const SharedBatch& spread) {
  const int64_t items = spread.all_items(scores.size(0) / views);
  std::vector<at::Tensor> codes;
  for (const at::Tensor& view :
       at::chunk(spread.group.gather_views(scores, views, items, "scores of all ranks"), views)) {
    codes.push_back(sinkhorn(view, options.swav_epsilon, options.swav_iterations));
  }
  return mean_over_ordered_pairs(at::log_softmax(scores / options.temperature, 1),
                                 spread.group.own_views(at::cat(codes), views, items), views,
                                 [&](const at::Tensor& told, const at::Tensor& code) {
                                   return -(code * told).sum() / static_cast<double>(items);
                                 });
}

}  // namespace orthant::loss
