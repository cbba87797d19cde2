#include "learn/loss/importance.h"

#include <ATen/ATen.h>

#include <cmath>
#include <numbers>

#include "learn/loss/unit.h"
#include "orthant/core/error.h"

namespace orthant {
namespace {

constexpr double kGain = 100;
constexpr double kLowest = -0.1;
constexpr double kSmallest = 1e-12;  // of the trace, where all rows are zero

}  // namespace

Importance::Importance(int64_t features) : q_(at::zeros({features}).requires_grad_(true)) {
  parameter("importance", q_);
}

at::Tensor Importance::values() const {
  const double start = std::log(std::numbers::e - 1);
  const at::Tensor s = at::softplus(q_ * kGain + start);
  return s / s.mean();
}

double Importance::effective() const {
  const at::Tensor s = values().detach().to(at::kDouble);
  const double sum = s.sum().item<double>();
  return sum * sum / s.square().sum().item<double>();
}

void Importance::hold() {
  const at::NoGradGuard no_gradients;
  q_.clamp_min_(kLowest);
}

at::Tensor feature_decorrelation(const at::Tensor& z, const LossOptions& options, const Group& group) {
  const at::Tensor rows = options.name == "infonce" ? loss::unit(z, options.norm_eps) : z;
  const at::Tensor products = shared_sum(group, rows.t().mm(rows), "products of features");
  const auto features = static_cast<double>(z.size(1));
  const at::Tensor scaled = products * (features / at::diagonal(products).sum().clamp_min(kSmallest));
  return (scaled - at::eye(z.size(1), z.options())).square().sum() / features;
}

ImportantLoss important_loss(const at::Tensor& z, const at::Tensor& s, int64_t views, const LossOptions& options,
                             const SharedBatch& spread) {
  check(options.name == "infonce" || options.name == "spectral", "[important_loss] expected infonce or spectral, got '",
        options.name, "'");
  check(z.dim() == 2 && s.dim() == 1 && s.size(0) == z.size(1), "[important_loss] expected an importance for each of ",
        z.dim() == 2 ? z.size(1) : 0, " features, got ", s.numel(), " numbers");
  ImportantLoss important{contrastive_loss(z * s.sqrt(), views, options, spread)};
  const at::Tensor term = feature_decorrelation(z, options, spread.group);
  important.decorrelation = term.item<double>();
  important.result.loss = important.result.loss + options.decorrelation * term;
  return important;
}

}  // namespace orthant
