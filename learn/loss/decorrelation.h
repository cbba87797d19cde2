#pragma once

#include <cstdint>

#include "orthant/run/loss_options.h"

namespace at {
class Tensor;
}

// Losses that compare columns instead of rows, as plain tensor operations: their matrices are [K, K], which does not
// grow with the batch. z is [V*B, K], view-major, of any floating type; the sizes are the caller's to check.
namespace orthant::loss {

// Barlow Twins (Zbontar et al. 2021), mean over the pairs of views. Columns are standardised over the B rows of a view
// (variance over B, plus 1e-5 under the root); a column that never changes gives C_ii = 0 and a finite gradient.
at::Tensor barlow(const at::Tensor& z, int64_t views, const LossOptions& options);

// VICReg (Bardes et al. 2022): invariance is a mean over the pairs of views, variance over the views, covariance twice
// the mean over the views, as in the two-view original. Variances and covariances divide by B - 1; 1e-4 is added
// under the root.
at::Tensor vicreg(const at::Tensor& z, int64_t views, const LossOptions& options);

}  // namespace orthant::loss
