#pragma once

#include <cstdint>

namespace at {
class Tensor;
}

namespace orthant::loss {

// MoCo (He et al. 2020, Chen et al. 2020 and 2021): a query finds the key of another view of its image among keys of
// other images. queries, keys [V*B, K], view-major, and queue [Q, K] have unit or zero rows; Q may be 0. The mean over
// ordered pairs of views (a, b) and images i of
//
//   -log( e^(q_ai.k_bi / t) / (sum_j e^(q_ai.k_bj / t) + sum_m e^(q_ai.u_m / t)) ),
//
// j over the images of the batch and u_m over the queue. Of any floating type; sizes and t > 0 are the caller's to
// check. Memory O(V B (B + Q)).
//
// There may be queries of some of the images alone, those from number `first` on: then it is their part of that mean.
at::Tensor moco(const at::Tensor& queries, const at::Tensor& keys, const at::Tensor& queue, int64_t views,
                double temperature, int64_t first = 0);

}  // namespace orthant::loss
