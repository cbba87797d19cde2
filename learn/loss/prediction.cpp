#include "learn/loss/prediction.h"

#include <ATen/ATen.h>

#include "learn/loss/unit.h"
#include "learn/loss/view_pairs.h"

namespace orthant::loss {
namespace {

at::Tensor mean_cosine(const at::Tensor& predicted, const at::Tensor& target, int64_t views, double eps) {
  return mean_over_ordered_pairs(unit(predicted, eps), unit(target.detach(), eps), views,
                                 [](const at::Tensor& p, const at::Tensor& t) { return (p * t).sum(1).mean(); });
}

}  // namespace

at::Tensor byol(const at::Tensor& predicted, const at::Tensor& target, int64_t views, double eps) {
  return 2 - 2 * mean_cosine(predicted, target, views, eps);
}

at::Tensor simsiam(const at::Tensor& predicted, const at::Tensor& target, int64_t views, double eps) {
  return -mean_cosine(predicted, target, views, eps);
}

}  // namespace orthant::loss
