#include "learn/loss/terms.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace orthant {
namespace {

constexpr double kEps = 1e-6;

at::Tensor unit(const at::Tensor& rows, int64_t dim) {
  return rows / rows.norm(2, {dim}, /*keepdim=*/true).clamp_min(kEps);
}

// Of a number for each row, over the rows of all ranks.
at::Tensor mean_of_rows(const Group& group, const at::Tensor& values) {
  const double rows = group.sum(static_cast<double>(values.size(0)), "rows of terms");
  return shared_sum(group, values.sum(0), "means of terms") / rows;
}

at::Tensor entropies(const at::Tensor& u) {
  const at::Tensor shares = u.square();
  return -(shares * (shares + kEps).log()).sum(1);
}

at::Tensor orthogonality(const Group& group, const at::Tensor& z) {
  const at::Tensor products = shared_sum(group, z.t().mm(z), "products of columns");
  const at::Tensor norms = at::diagonal(products).clamp_min(kEps * kEps).sqrt();
  const at::Tensor cosines = products / at::outer(norms, norms);
  const auto k = static_cast<double>(z.size(1));
  return (cosines.square().sum() - at::diagonal(cosines).square().sum()) / std::max(k * (k - 1), 1.0);
}

// Of each column, over all ranks: how many entries are above zero.
at::Tensor active_rows(const Group& group, const at::Tensor& z) {
  at::Tensor counts = z.detach().gt(0).sum(0);
  group.sum(counts, "active rows");
  return counts;
}

at::Tensor monosemanticity(const Group& group, const at::Tensor& z, const at::Tensor& reference) {
  const at::Tensor largest = group.gather(z.detach().amax(0), "largest entries").amax(0);
  const at::Tensor scaled = z / largest.clamp_min(kEps);
  const at::Tensor weighted =
      shared_sum(group, scaled.t().mm(unit(reference, 1)), "weighted references").square().sum(1);
  const at::Tensor sums = shared_sum(group, at::stack({scaled.sum(0), scaled.square().sum(0)}), "sums of columns");
  const at::Tensor pairs = sums[0].square() - sums[1];
  const at::Tensor counted = active_rows(group, z).ge(2).to(z.scalar_type());
  const at::Tensor scores = (weighted - sums[1]) / pairs.clamp_min(kEps) * counted;
  return 1 - scores.sum() / counted.sum().clamp_min(1);
}

at::Tensor revive(const Group& group, const at::Tensor& before, const at::Tensor& z) {
  const at::Tensor dead = active_rows(group, z).eq(0).to(z.scalar_type());
  return (mean_of_rows(group, at::relu(-before)) * dead).sum() / dead.sum().clamp_min(1);
}

}  // namespace

at::Tensor code_terms(const at::Tensor& before, const at::Tensor& z, const at::Tensor& reference,
                      const TermOptions& options, const Group& group) {
  at::Tensor sum = at::zeros({}, z.options());
  const at::Tensor u = unit(z, 1);
  if (options.l1 != 0) sum = sum + options.l1 * mean_of_rows(group, u.abs().sum(1));
  if (options.entropy != 0) sum = sum + options.entropy * mean_of_rows(group, entropies(u));
  if (options.orthogonality != 0) sum = sum + options.orthogonality * orthogonality(group, z);
  if (options.monosemanticity != 0) {
    sum = sum + options.monosemanticity * monosemanticity(group, z, reference.detach());
  }
  if (options.revive != 0) sum = sum + options.revive * revive(group, before, z);
  return sum;
}

}  // namespace orthant
