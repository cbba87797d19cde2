#pragma once

#include <cstdint>

namespace at {
class Tensor;
}

// Losses of a predictor that tells one view of an image from another. predicted, target [V*B, K] are view-major, of any
// floating type; no gradient goes to the target. With c the mean cosine of predicted_ai and target_bi over ordered
// pairs of views (a, b) and images i, rows not longer than eps having cosine 0:
namespace orthant::loss {

// BYOL (Grill et al. 2020): 2 - 2 c.
at::Tensor byol(const at::Tensor& predicted, const at::Tensor& target, int64_t views, double eps);

// SimSiam (Chen and He 2021): -c.
at::Tensor simsiam(const at::Tensor& predicted, const at::Tensor& target, int64_t views, double eps);

}  // namespace orthant::loss
