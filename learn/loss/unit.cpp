#include "learn/loss/unit.h"

#include <ATen/ATen.h>

namespace orthant::loss {

at::Tensor unit(const at::Tensor& z, double eps) {
  // NaN is not "not longer", so that it stays NaN.
  const at::Tensor zero = z.detach().norm(2, 1, true).le(eps);
  const at::Tensor safe = z.masked_fill(zero, 1);
  return (safe / safe.norm(2, 1, true)).masked_fill(zero, 0);
}

}  // namespace orthant::loss
