#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "learn/group/group.h"

namespace orthant {

// The mean and variance (divided by rows) of columns, float32 [C], of this rank's `rows` rows become those of the rows
// of all ranks, whose number is returned. Joined in float64 around the means (Chan, Golub and LeVeque, 1979), in the
// order of ranks.
int64_t share_statistics(const Group& group, at::Tensor& mean, at::Tensor& variance, int64_t rows);

}  // namespace orthant
