#pragma once

#include <cstdint>

#include "learn/group/group.h"
#include "orthant/run/loss_options.h"

namespace at {
class Tensor;
}

namespace orthant::loss {

// Scores [B, P] of B items for P prototypes to codes [B, P]: e^(scores / epsilon), `iterations` times scaled so that
// every prototype gets as much as any other, and then so that every item gives 1 (Sinkhorn and Knopp). Rows of the
// result sum to 1 exactly, columns to B / P the better the more iterations. Computed with logarithms: no epsilon
// overflows. Without gradient.
at::Tensor sinkhorn(const at::Tensor& scores, double epsilon, int64_t iterations);

// SwAV (Caron et al. 2020): one view's scores tell the codes of another. scores [V*B, P], view-major, of any floating
// type; codes are those of each view on its own. The mean over ordered pairs of views (a, b) and images i of
// -sum_p code_bip log softmax_p(scores_ai / temperature).
//
// Where the batch is spread over several ranks, the scores are those of this rank's items; the codes are made of the
// scores of all, and what comes back is this rank's part of the mean.
at::Tensor swav(const at::Tensor& scores, int64_t views, const LossOptions& options, const SharedBatch& spread = {});

}  // namespace orthant::loss
