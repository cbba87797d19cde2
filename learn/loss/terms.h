#pragma once

#include <ATen/core/Tensor.h>

#include "learn/group/group.h"
#include "orthant/run/term_options.h"

namespace orthant {

// The weighted sum of what TermOptions names, a scalar connected to `before` and `z` by autograd. `before` [N, K] is
// what entered sigma+, z [N, K] what came out, `reference` [N, F] what items are like, without gradient. With u the
// rows of z at unit length:
//
//   l1              mean over rows of sum_k |u_ik|, from 1 to sqrt(K)
//   entropy         mean over rows of -sum_k u_ik^2 log u_ik^2, in nats
//   orthogonality   mean over pairs of different columns of their squared cosine
//   monosemanticity 1 - mean over columns with two active rows or more of (|w|^2 - v) / (a^2 - v), where each column is
//                   scaled to a largest entry of 1, a its sum, v its sum of squares, and w the sum of the unit rows of
//                   the reference weighted by it: the mean cosine of items that the feature is on for (MonoScore)
//   revive          mean over the columns of z that are zero throughout of the mean of max(0, -before); 0 if there is
//                   none
//
// The rows are those of all ranks of `group`; the gradient is that of this rank's.
at::Tensor code_terms(const at::Tensor& before, const at::Tensor& z, const at::Tensor& reference,
                      const TermOptions& options, const Group& group = {});

}  // namespace orthant
