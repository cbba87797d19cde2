#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "learn/group/group.h"
#include "orthant/run/loss_options.h"

namespace orthant {

struct LossResult {
  at::Tensor loss;             // scalar float32, connected to z by autograd
  double value = 0;            // the same as a number
  int64_t zero_rows = 0;       // rows of z not longer than options.norm_eps; they receive no gradient from infonce
  double positive_cosine = 0;  // mean cosine over ordered pairs of views of one image; 1 when views agree
  double negative_cosine = 0;  // mean cosine over ordered pairs of different images; near 1 when all collapse
};

// The loss of a batch. z [V*B, K] is float32 on the CPU and already went through sigma+; row v*B + b is view v of
// image b; V = views >= 2, B >= 2.
//
//   infonce   rows scaled to unit length, s_ij = z_i.z_j / temperature; the mean over i of
//             -log(P_i / (P_i + N_i)), P_i the sum of e^s_ij over the other views of i's image, N_i that over the
//             rows of other images. Stable for any temperature. Memory O(N K), never N^2.
//   spectral  rows as they are: -2 mean of z_i.z_j over ordered pairs of views of one image, plus the mean of
//             (z_i.z_j)^2 over ordered pairs of rows of different images. Memory O(N K).
//   barlow    Barlow Twins, mean over pairs of views: columns standardised over the batch, C = Za' Zb / B,
//             sum_i (1 - C_ii)^2 + redundancy sum_{i != j} C_ij^2.
//   vicreg    invariance mean |za - zb|^2 / K over pairs of views, variance mean of max(0, 1 - std), covariance sum
//             of squared off-diagonal covariances / K (twice the mean over views), weighted.
//
// With options.nested = n > 0 it is the mean of two such losses: of z, and of its first n columns. Cosines and zero
// rows are those of all columns.
//
// For infonce and spectral the gradient is computed together with the value, in the forward; the backward only
// scales it. Without gradient mode, or if z needs none, only the value is computed. The result does not depend on
// the number of threads for infonce and spectral. NaN or infinity in z gives a loss of NaN, not an exception.
// std::invalid_argument for a shape, type or option that does not fit.
//
// Where the batch is spread over several ranks (`spread`), z holds the views of this rank's items alone, B of them and
// not less than one; all that is told is of the whole batch and the same on every rank, and the gradient is the exact
// one of this rank's rows, so that gradients of parameters are sums over ranks, not means.
LossResult contrastive_loss(const at::Tensor& z, int64_t views, const LossOptions& options = {},
                            const SharedBatch& spread = {});

// What a LossResult tells of z besides the loss, which is left undefined. The same demands on z.
LossResult compare_views(const at::Tensor& z, int64_t views, double norm_eps, const SharedBatch& spread = {});

}  // namespace orthant
