#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "orthant/towers/pair_loss_options.h"

namespace orthant {

struct PairLossResult {
  at::Tensor loss;             // scalar float32, connected to za, zb and log_scale by autograd
  double value = 0;            // the same as a number
  double scale = 0;            // what the cosines were multiplied by; 0 for spectral
  int64_t zero_rows = 0;       // of both towers, not longer than options.norm_eps; no gradient from infonce
  double positive_cosine = 0;  // mean over the pairs
  double negative_cosine = 0;  // mean over za_i, zb_j with i != j; near 1 when all collapse
};

// The loss of a batch of pairs: rows za_i and zb_i [N, K], N >= 2, are what two towers make of item i; float32 on the
// CPU and already through sigma+.
//
//   infonce   (CLIP) rows scaled to unit length, s_ij = scale za_i.zb_j with scale = e^log_scale; half the mean over i
//             of -log(e^s_ii / sum_j e^s_ij), plus half the mean over j of -log(e^s_jj / sum_i e^s_ij). Stable for
//             any scale. Memory O(N K), never N^2.
//   spectral  rows as they are: -2 mean_i za_i.zb_i + mean over ordered pairs i != j of (za_i.zb_j)^2. Its expectation
//             over batches of independent pairs is the population's loss -2 E_P(v,l) + E_P(v)P(l): za_i and zb_j of
//             different pairs are independent. With i = j, which are not, it would be off by 1 / N of the
//             difference. Knows no log_scale. Memory O(N K).
//
// log_scale is float32 with one element, and is what it says: clamp_log_scale() keeps it below its cap. The gradients
// are exact, computed together with the value; where neither is wanted only the value is. The result does not depend
// on the number of threads. Swapping the towers changes nothing but rounding. NaN or infinity gives a loss of NaN.
// std::invalid_argument for a shape, type or option that does not fit.
PairLossResult pair_loss(const at::Tensor& za, const at::Tensor& zb, const at::Tensor& log_scale,
                         const PairLossOptions& options = {});

// A tensor [1] for the start: -log(options.temperature), no higher than the cap allows.
at::Tensor initial_log_scale(const PairLossOptions& options);

// Brings it down to log(options.scale_cap) where it is above, as CLIP does after every step, so that it can go down
// again.
void clamp_log_scale(const at::Tensor& log_scale, const PairLossOptions& options);

}  // namespace orthant
