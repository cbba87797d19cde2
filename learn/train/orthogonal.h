#pragma once

#include <ATen/core/Tensor.h>

namespace orthant {

// Near the closest matrix to `matrix` [R, C], but for a factor, whose rows are orthonormal (columns where R > C): U V'
// of its U S V', where singular values become about 1 (0.7 to 1.2) unless they are below a hundredth of the matrix's
// size. Five steps of a Newton-Schulz iteration of fifth order (Jordan et al. 2024). Zero stays zero. Takes the cores
// that at::set_num_threads allows, of which the last digits may depend.
at::Tensor orthogonal(const at::Tensor& matrix);

}  // namespace orthant
