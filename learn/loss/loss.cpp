#include "learn/loss/loss.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <set>
#include <span>
#include <string>
#include <vector>

#include "learn/loss/decorrelation.h"
#include "learn/loss/infonce.h"
#include "learn/loss/known_gradient.h"
#include "learn/loss/rows.h"
#include "learn/loss/spectral.h"
#include "orthant/core/error.h"

namespace orthant {
namespace {

const std::set<std::string> kLosses = {"infonce", "spectral", "barlow", "vicreg"};

std::span<float> values_of(const at::Tensor& tensor) {
  return {tensor.data_ptr<float>(), static_cast<size_t>(tensor.numel())};
}

loss::Batch checked_batch(const at::Tensor& z, int64_t views) {
  check(z.defined() && z.dim() == 2 && z.scalar_type() == at::kFloat && z.device().is_cpu(),
        "[contrastive_loss] expected a float32 matrix [V*B, K] on the CPU, got ",
        z.defined() ? join(z.toString(), " of ", z.dim(), " dimensions") : "nothing");
  check(views >= 2 && z.size(0) % views == 0 && z.size(0) / views >= 2 && z.size(1) >= 1,
        "[contrastive_loss] expected 2 or more views of 2 or more images, got ", z.size(0), " x ", z.size(1), " for ",
        views, " views");
  return {.rows = z.size(0), .dims = z.size(1), .views = views};
}

struct UnitRows {
  at::Tensor rows;
  at::Tensor inverse_norms;
};

struct Fused {
  double value;
  at::Tensor gradient;  // of z; undefined if none is wanted
};

Fused fused_info_nce(const loss::Batch& batch, const UnitRows& unit, double temperature, bool wants_gradient,
                     int threads) {
  check(temperature >= kMinTemperature, "[contrastive_loss] expected a temperature of at least ", kMinTemperature,
        ", got ", temperature);
  loss::InfoNceWorkspace workspace(batch, threads);
  const at::Tensor gradient = wants_gradient ? at::empty_like(unit.rows) : at::empty({0}, unit.rows.options());
  const double value = loss::info_nce(batch, values_of(unit.rows), temperature, values_of(gradient), workspace);
  if (!wants_gradient) return {value, {}};
  loss::unit_gradient(batch, values_of(unit.rows), values_of(unit.inverse_norms), values_of(gradient), threads);
  return {value, gradient};
}

Fused fused_spectral(const loss::Batch& batch, const at::Tensor& z, bool wants_gradient, int threads) {
  std::vector<float> workspace(static_cast<size_t>(loss::spectral_workspace(batch)));
  const at::Tensor gradient = wants_gradient ? at::empty_like(z) : at::empty({0}, z.options());
  const double value = loss::spectral(batch, values_of(z), values_of(gradient), workspace, threads);
  return {value, wants_gradient ? gradient : at::Tensor()};
}

// Fills in what is told besides the loss.
UnitRows compare_rows(const loss::Batch& batch, const at::Tensor& plain, double norm_eps, LossResult& result) {
  check(norm_eps > 0, "[contrastive_loss] expected a positive norm_eps, got ", norm_eps);
  const UnitRows unit = {at::empty_like(plain), at::empty({batch.rows}, plain.options())};
  result.zero_rows = loss::unit_rows(batch, values_of(plain), norm_eps, values_of(unit.rows),
                                     values_of(unit.inverse_norms), at::get_num_threads());
  std::vector<double> sums(static_cast<size_t>(2 * batch.dims));
  const loss::MeanCosines cosines = loss::mean_cosines(batch, values_of(unit.rows), sums);
  result.positive_cosine = cosines.positive;
  result.negative_cosine = cosines.negative;
  return unit;
}

LossResult whole_loss(const at::Tensor& z, int64_t views, const LossOptions& options) {
  const loss::Batch batch = checked_batch(z, views);
  check(kLosses.contains(options.name),
        "[contrastive_loss] expected a loss out of infonce, spectral, barlow, vicreg, got '", options.name, "'");
  const int threads = at::get_num_threads();
  const at::Tensor plain = z.detach().contiguous();
  LossResult result;
  const UnitRows unit = compare_rows(batch, plain, options.norm_eps, result);

  if (options.name == "barlow" || options.name == "vicreg") {
    result.loss = options.name == "barlow" ? loss::barlow(z, views, options) : loss::vicreg(z, views, options);
    result.value = result.loss.item<double>();
    return result;
  }
  const bool wants_gradient = z.requires_grad() && at::GradMode::is_enabled();
  const Fused fused = options.name == "infonce"
                          ? fused_info_nce(batch, unit, options.temperature, wants_gradient, threads)
                          : fused_spectral(batch, plain, wants_gradient, threads);
  result.value = fused.value;
  result.loss = wants_gradient ? loss::with_known_gradient(z, fused.value, fused.gradient)
                               : at::scalar_tensor(fused.value, plain.options());
  return result;
}

LossResult nested_loss(const at::Tensor& z, int64_t views, const LossOptions& options) {
  check(z.dim() == 2 && options.nested < z.size(1), "[contrastive_loss] expected fewer nested features than the ",
        z.dim() == 2 ? z.size(1) : 0, " there are, got ", options.nested);
  LossResult all = whole_loss(z, views, options);
  const LossResult first = whole_loss(z.narrow(1, 0, options.nested), views, options);
  all.loss = (all.loss + first.loss) / 2;
  all.value = (all.value + first.value) / 2;
  return all;
}

}  // namespace

LossResult compare_views(const at::Tensor& z, int64_t views, double norm_eps) {
  LossResult result;
  compare_rows(checked_batch(z, views), z.detach().contiguous(), norm_eps, result);
  return result;
}

LossResult contrastive_loss(const at::Tensor& z, int64_t views, const LossOptions& options) {
  return options.nested > 0 ? nested_loss(z, views, options) : whole_loss(z, views, options);
}

}  // namespace orthant
