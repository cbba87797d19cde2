#pragma once

#include <cstdint>
#include <span>

#include "learn/loss/loss.h"

namespace orthant {

// The supervised contrastive loss of a batch (Khosla et al. 2020, the "out" form, their equation 2). z [V*B, K] is
// float32 on the CPU and already went through sigma+; row v*B + b is view v of item b, whose class is labels[b].
//
// Rows are scaled to unit length, s_ij = z_i.z_j / temperature, and P(i) holds the other rows of i's class. The mean
// over the rows i of
//   -1 / |P(i)| sum_{p in P(i)} log( e^s_ip / sum_{a != i} e^s_ia ).
// Every row has another view, so no P(i) is empty.
//
// The gradient is computed together with the value, a block of rows at a time: memory is O(N K + N), never N^2. A zero
// row (see LossOptions::norm_eps) is similar to nothing and receives no gradient. positive_cosine and negative_cosine
// are those of views of one item and of different items, whatever their classes. NaN or infinity in z gives a loss of
// NaN. std::invalid_argument for a shape, type or option that does not fit, and for a label below 0.
//
// Where the batch is spread over several ranks, z and labels are those of this rank's items; see contrastive_loss().
LossResult supervised_contrastive_loss(const at::Tensor& z, std::span<const int64_t> labels, const LossOptions& options,
                                       const SharedBatch& spread = {});

}  // namespace orthant
