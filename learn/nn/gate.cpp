#include "learn/nn/gate.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "learn/group/shared_statistics.h"
#include "learn/nn/ops.h"
#include "orthant/core/error.h"

namespace orthant {
namespace {

constexpr double kEps = 1e-5;
constexpr double kMomentum = 0.1;
constexpr double kRateMomentum = 0.1;
constexpr double kLift = 0.05;  // per batch, in deviations, of a feature that is never on
constexpr double kSmallest = 1e-12;
constexpr double kGain = 0.5;  // of the threshold, in deviations per share that is too much

// The point above which a share of a normal distribution lies.
double normal_quantile_above(double share) {
  return std::sqrt(2.0) * at::erfinv(at::scalar_tensor(1 - 2 * share, at::kDouble)).item<double>();
}

double wanted_share(int64_t features, const ActivationOptions& options) {
  const double share = active_share(options, features);
  check(share >= 0 && share < 1, "[gate] expected fewer active features than the ", features, " there are, got ",
        options.active);
  return share;
}

// Deviations of the columns of y [N, K] (divided by rows - 1) over all ranks.
at::Tensor deviations(const Group& group, const at::Tensor& y) {
  if (group.alone()) return y.std(0);
  at::Tensor mean = y.mean(0);
  at::Tensor variance = y.var(0, /*unbiased=*/false);
  const auto rows = static_cast<double>(share_statistics(group, mean, variance, y.size(0)));
  return (variance * (rows / (rows - 1))).sqrt();
}

// Of each column of y [N, K], the share of entries above zero over all ranks.
at::Tensor active_shares(const Group& group, const at::Tensor& y) {
  if (group.alone()) return y.gt(0).to(at::kFloat).mean(0);
  at::Tensor counts = at::cat({y.gt(0).sum(0), at::full({1}, y.size(0), at::kLong)});
  group.sum(counts, "active entries of the gate");
  const at::Tensor rows = counts.narrow(0, y.size(1), 1);
  return counts.narrow(0, 0, y.size(1)).to(at::kDouble).div(rows).to(at::kFloat);
}

}  // namespace

bool has_gate(const ActivationOptions& options) {
  return options.standardise || options.active > 0 || options.sparsity > 0 || options.floor > 0;
}

ActivationOptions without_gate(ActivationOptions options) {
  const ActivationOptions plain;
  options.standardise = plain.standardise;
  options.active = plain.active;
  options.sparsity = plain.sparsity;
  options.each = plain.each;
  options.floor = plain.floor;
  return options;
}

Gate::Gate(int64_t features, const ActivationOptions& options)
    : wanted_(wanted_share(features, options)),
      floor_(options.floor),
      standardise_(options.standardise),
      each_(options.each),
      mean_(at::zeros({features})),
      variance_(at::ones({features})),
      threshold_(at::full({features}, wanted_ > 0 && standardise_ ? normal_quantile_above(wanted_) : 0.0)),
      rate_(at::full({features}, floor_)) {
  buffer("mean", mean_);
  buffer("variance", variance_);
  buffer("threshold", threshold_);
  buffer("rate", rate_);
}

at::Tensor Gate::forward(const at::Tensor& y) {
  if (!training()) {
    taken_ = final_threshold();
    return standardised(y) - taken_;
  }
  taken_ = threshold_.clone();
  settled_ = at::Tensor();
  if (!standardise_) {
    const at::Tensor gated = y - threshold_;
    follow(gated, deviations(rows_group(), y.detach()));
    return gated;
  }
  const auto result = ops::batch_norm_train(y, at::ones_like(mean_), threshold_.neg(), at::Tensor(), /*relu=*/false,
                                            kEps, rows_group());
  const auto rows = static_cast<double>(result.rows);
  mean_.mul_(1 - kMomentum).add_(result.mean, kMomentum);
  variance_.mul_(1 - kMomentum).add_(result.variance, kMomentum * rows / (rows - 1));
  follow(result.y, at::ones_like(mean_));
  return result.y;
}

at::Tensor Gate::standardised(const at::Tensor& y) const {
  return standardise_ ? (y - mean_) * (variance_ + kEps).rsqrt() : y;
}

void Gate::settle(const at::Tensor& y) {
  if (wanted_ == 0 || y.size(0) < 2) return;
  const at::Tensor x = standardised(y);
  const at::Tensor unit = x.std(0).clamp_min(kSmallest);
  const at::Tensor above = (x - threshold_) / unit;
  const at::Tensor entries = each_ ? above : above.reshape({-1, 1});
  const int64_t off =
      std::clamp<int64_t>(std::llround((1 - wanted_) * static_cast<double>(entries.size(0))), 1, entries.size(0));
  settled_ = threshold_ + unit * std::get<0>(entries.kthvalue(off, 0));
}

void Gate::follow(const at::Tensor& gated, const at::Tensor& unit) {
  const at::Tensor rates = active_shares(rows_group(), gated.detach());
  if (wanted_ > 0) threshold_.add_(unit * (each_ ? rates : rates.mean()).sub(wanted_), kGain);
  if (floor_ == 0) return;
  rate_.mul_(1 - kRateMomentum).add_(rates, kRateMomentum);
  threshold_.sub_(unit * (1 - rate_ / floor_).clamp_min(0), kLift);
}

void Gate::fold(at::Tensor& weight, at::Tensor& bias) const {
  if (standardise_) {
    const at::Tensor scale = (variance_ + kEps).rsqrt();
    weight = weight * scale.unsqueeze(1);
    bias = (bias - mean_) * scale;
  }
  bias = bias - final_threshold();
}

}  // namespace orthant
