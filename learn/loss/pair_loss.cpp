#include "learn/loss/pair_loss.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include <cmath>
#include <span>
#include <vector>

#include "learn/loss/pair_infonce.h"
#include "learn/loss/pair_spectral.h"
#include "orthant/core/error.h"

namespace orthant {
namespace {

// What is known of a loss once it has been computed.
struct Known {
  double value = 0;
  at::Tensor rows = {};  // gradient of both towers' rows [2 N, K]; undefined if none is wanted
  double by_log_scale = 0;
};

// A scalar whose gradients are known already.
struct KnownGradients : torch::autograd::Function<KnownGradients> {
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& za, const at::Tensor& /*zb*/,
                            const at::Tensor& log_scale, const Known& known) {
    context->save_for_backward({known.rows, at::full_like(log_scale, known.by_log_scale)});
    context->saved_data["items"] = za.size(0);
    return at::scalar_tensor(known.value, known.rows.options());
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list outer) {
    const auto saved = context->get_saved_variables();
    const int64_t items = context->saved_data["items"].toInt();
    const at::Tensor rows = outer[0].item<float>() == 1 ? saved[0] : outer[0] * saved[0];
    return {rows.narrow(0, 0, items), rows.narrow(0, items, items), outer[0] * saved[1], at::Tensor()};
  }
};

std::span<float> values_of(const at::Tensor& tensor) {
  return {tensor.data_ptr<float>(), static_cast<size_t>(tensor.numel())};
}

void check_rows(const at::Tensor& z, const char* tower) {
  check(z.defined() && z.dim() == 2 && z.scalar_type() == at::kFloat && z.device().is_cpu(),
        "[pair_loss] expected a float32 matrix [N, K] on the CPU from the ", tower, " tower, got ",
        z.defined() ? join(z.toString(), " of ", z.dim(), " dimensions") : "nothing");
}

loss::Batch checked_batch(const at::Tensor& za, const at::Tensor& zb, const at::Tensor& log_scale) {
  check_rows(za, "first");
  check_rows(zb, "second");
  check(za.sizes() == zb.sizes() && za.size(0) >= 2 && za.size(1) >= 1,
        "[pair_loss] expected 2 or more pairs of rows of one length, got ", za.size(0), " x ", za.size(1), " and ",
        zb.size(0), " x ", zb.size(1));
  check(log_scale.defined() && log_scale.numel() == 1 && log_scale.scalar_type() == at::kFloat,
        "[pair_loss] expected a log_scale of one float32, got ",
        log_scale.defined() ? join(log_scale.numel(), " of ", log_scale.toString()) : "nothing");
  return {.rows = 2 * za.size(0), .dims = za.size(1), .views = 2};
}

Known known_info_nce(const loss::Batch& batch, const at::Tensor& unit, const at::Tensor& inverse_norms, double scale,
                     bool wants_gradient, int threads) {
  loss::PairWorkspace workspace(batch, threads);
  const at::Tensor gradient = wants_gradient ? at::empty_like(unit) : at::empty({0}, unit.options());
  const loss::PairInfoNce found = loss::pair_info_nce(batch, values_of(unit), scale, values_of(gradient), workspace);
  if (!wants_gradient) return {found.loss};
  loss::unit_gradient(batch, values_of(unit), values_of(inverse_norms), values_of(gradient), threads);
  return {found.loss, gradient, found.by_log_scale};
}

Known known_spectral(const loss::Batch& batch, const at::Tensor& z, bool wants_gradient, int threads) {
  std::vector<float> workspace(static_cast<size_t>(loss::pair_spectral_workspace(batch)));
  const at::Tensor gradient = wants_gradient ? at::empty_like(z) : at::empty({0}, z.options());
  const double value = loss::pair_spectral(batch, values_of(z), values_of(gradient), workspace, threads);
  return {value, wants_gradient ? gradient : at::Tensor()};
}

}  // namespace

PairLossResult pair_loss(const at::Tensor& za, const at::Tensor& zb, const at::Tensor& log_scale,
                         const PairLossOptions& options) {
  const loss::Batch batch = checked_batch(za, zb, log_scale);
  const bool info_nce = options.name == "infonce";
  check(info_nce || options.name == "spectral", "[pair_loss] expected a loss out of infonce, spectral, got '",
        options.name, "'");
  check(options.norm_eps > 0, "[pair_loss] expected a positive norm_eps, got ", options.norm_eps);
  const int threads = at::get_num_threads();
  const at::Tensor z = at::cat({za.detach(), zb.detach()}).contiguous();
  const at::Tensor unit = at::empty_like(z);
  const at::Tensor inverse_norms = at::empty({batch.rows}, z.options());
  PairLossResult result;
  result.zero_rows =
      loss::unit_rows(batch, values_of(z), options.norm_eps, values_of(unit), values_of(inverse_norms), threads);
  std::vector<double> sums(static_cast<size_t>(2 * batch.dims));
  const loss::MeanCosines cosines = loss::tower_cosines(batch, values_of(unit), sums);
  result.positive_cosine = cosines.positive;
  result.negative_cosine = cosines.negative;
  if (info_nce) result.scale = std::exp(log_scale.item<double>());

  const bool wanted = za.requires_grad() || zb.requires_grad() || log_scale.requires_grad();
  const bool wants_gradient = wanted && at::GradMode::is_enabled();
  const Known known = info_nce ? known_info_nce(batch, unit, inverse_norms, result.scale, wants_gradient, threads)
                               : known_spectral(batch, z, wants_gradient, threads);
  result.value = known.value;
  result.loss =
      wants_gradient ? KnownGradients::apply(za, zb, log_scale, known) : at::scalar_tensor(known.value, z.options());
  return result;
}

at::Tensor initial_log_scale(const PairLossOptions& options) {
  at::Tensor log_scale = at::full({1}, -std::log(options.temperature), at::kFloat);
  clamp_log_scale(log_scale, options);
  return log_scale;
}

void clamp_log_scale(const at::Tensor& log_scale, const PairLossOptions& options) {
  const at::NoGradGuard no_gradients;
  log_scale.clamp_max_(std::log(options.scale_cap));
}

}  // namespace orthant
