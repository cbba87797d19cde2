#include "learn/loss/terms.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace orthant {
namespace {

constexpr double kEps = 1e-6;

at::Tensor unit(const at::Tensor& rows, int64_t dim) {
  return rows / rows.norm(2, {dim}, /*keepdim=*/true).clamp_min(kEps);
}

at::Tensor entropy(const at::Tensor& u) {
  const at::Tensor shares = u.square();
  return -(shares * (shares + kEps).log()).sum(1).mean();
}

at::Tensor orthogonality(const at::Tensor& z) {
  const at::Tensor columns = unit(z, 0);
  const at::Tensor cosines = columns.t().mm(columns);
  const auto k = static_cast<double>(z.size(1));
  return (cosines.square().sum() - at::diagonal(cosines).square().sum()) / std::max(k * (k - 1), 1.0);
}

at::Tensor monosemanticity(const at::Tensor& z, const at::Tensor& reference) {
  const at::Tensor scaled = z / z.detach().amax(0).clamp_min(kEps);
  const at::Tensor weighted = scaled.t().mm(unit(reference, 1)).square().sum(1);
  const at::Tensor squares = scaled.square().sum(0);
  const at::Tensor pairs = scaled.sum(0).square() - squares;
  const at::Tensor counted = z.detach().gt(0).sum(0).ge(2).to(z.scalar_type());
  const at::Tensor scores = (weighted - squares) / pairs.clamp_min(kEps) * counted;
  return 1 - scores.sum() / counted.sum().clamp_min(1);
}

at::Tensor revive(const at::Tensor& before, const at::Tensor& z) {
  const at::Tensor dead = z.detach().gt(0).any(0).logical_not().to(z.scalar_type());
  return (at::relu(-before).mean(0) * dead).sum() / dead.sum().clamp_min(1);
}

}  // namespace

at::Tensor code_terms(const at::Tensor& before, const at::Tensor& z, const at::Tensor& reference,
                      const TermOptions& options) {
  at::Tensor sum = at::zeros({}, z.options());
  const at::Tensor u = unit(z, 1);
  if (options.l1 != 0) sum = sum + options.l1 * u.abs().sum(1).mean();
  if (options.entropy != 0) sum = sum + options.entropy * entropy(u);
  if (options.orthogonality != 0) sum = sum + options.orthogonality * orthogonality(z);
  if (options.monosemanticity != 0) {
    sum = sum + options.monosemanticity * monosemanticity(z, reference.detach());
  }
  if (options.revive != 0) sum = sum + options.revive * revive(before, z);
  return sum;
}

}  // namespace orthant
