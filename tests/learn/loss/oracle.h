#pragma once

#include <ATen/ATen.h>

#include <cstdint>

namespace orthant::test {

// The losses as their definitions read, dense, in float64 and differentiable: what the fused ones must agree with.

inline at::Tensor same_image(int64_t rows, int64_t views) {
  const at::Tensor image = at::arange(rows).remainder(rows / views);
  return image.unsqueeze(1) == image.unsqueeze(0);
}

// Rows not longer than eps are left out of the graph as zeros.
inline at::Tensor dense_unit(const at::Tensor& z, double eps = 1e-6) {
  const at::Tensor norm = z.detach().norm(2, 1, true);
  const at::Tensor alive = norm > eps;
  const at::Tensor safe = at::where(alive, z, at::ones_like(z));
  return safe / safe.square().sum(1, true).sqrt() * alive;
}

inline at::Tensor dense_info_nce(const at::Tensor& z, int64_t views, double temperature) {
  const at::Tensor unit = dense_unit(z);
  const at::Tensor s = unit.mm(unit.t()) / temperature;
  const at::Tensor same = same_image(z.size(0), views);
  const at::Tensor self = at::eye(z.size(0)).to(at::kBool);
  const at::Tensor positives = s.masked_fill(same.logical_not().logical_or(self), -INFINITY).logsumexp(1);
  const at::Tensor negatives = s.masked_fill(same, -INFINITY).logsumexp(1);
  return at::softplus(negatives - positives, 1, 40).mean();
}

inline at::Tensor dense_spectral(const at::Tensor& z, int64_t views) {
  const at::Tensor s = z.mm(z.t());
  const at::Tensor same = same_image(z.size(0), views);
  const at::Tensor self = at::eye(z.size(0)).to(at::kBool);
  const at::Tensor positive = same.logical_and(self.logical_not()).to(s.dtype());
  const at::Tensor negative = same.logical_not().to(s.dtype());
  return -2 * (s * positive).sum() / positive.sum() + (s.square() * negative).sum() / negative.sum();
}

// The losses of two towers; see learn/loss/pair_loss.h.
inline at::Tensor dense_pair_info_nce(const at::Tensor& za, const at::Tensor& zb, const at::Tensor& log_scale) {
  const at::Tensor s = log_scale.exp() * dense_unit(za).mm(dense_unit(zb).t());
  const at::Tensor own = at::eye(za.size(0)).to(at::kBool);
  const at::Tensor others = s.masked_fill(own, -INFINITY);
  const at::Tensor by_row = at::softplus(others.logsumexp(1) - s.diagonal(), 1, 40);
  const at::Tensor by_column = at::softplus(others.logsumexp(0) - s.diagonal(), 1, 40);
  return (by_row.mean() + by_column.mean()) / 2;
}

inline at::Tensor dense_pair_spectral(const at::Tensor& za, const at::Tensor& zb) {
  const at::Tensor s = za.mm(zb.t());
  const auto items = static_cast<double>(za.size(0));
  const at::Tensor squares = s.square().sum() - s.diagonal().square().sum();
  return -2 * s.diagonal().mean() + squares / (items * (items - 1));
}

}  // namespace orthant::test
