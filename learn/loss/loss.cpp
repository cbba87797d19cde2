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
#include "learn/loss/shared_loss.h"
#include "learn/loss/spectral.h"
#include "orthant/core/error.h"

namespace orthant {
namespace {

const std::set<std::string> kLosses = {"infonce", "spectral", "barlow", "vicreg"};

std::span<float> values_of(const at::Tensor& tensor) {
  return {tensor.data_ptr<float>(), static_cast<size_t>(tensor.numel())};
}

loss::Batch checked_batch(const at::Tensor& z, int64_t views, const SharedBatch& spread) {
  check(z.defined() && z.dim() == 2 && z.scalar_type() == at::kFloat && z.device().is_cpu(),
        "[contrastive_loss] expected a float32 matrix [V*B, K] on the CPU, got ",
        z.defined() ? join(z.toString(), " of ", z.dim(), " dimensions") : "nothing");
  check(views >= 2 && z.size(0) % views == 0 && z.size(0) > 0 && spread.all_items(z.size(0) / views) >= 2 &&
            z.size(1) >= 1,
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
                     int threads, const SharedBatch& spread) {
  check(temperature >= kMinTemperature, "[contrastive_loss] expected a temperature of at least ", kMinTemperature,
        ", got ", temperature);
  if (!spread.group.alone()) {
    const auto [value, gradient] = loss::shared_info_nce(unit.rows, batch.views, temperature, wants_gradient, spread);
    if (!wants_gradient) return {value, {}};
    loss::unit_gradient(batch, values_of(unit.rows), values_of(unit.inverse_norms), values_of(gradient), threads);
    return {value, gradient};
  }
  loss::InfoNceWorkspace workspace(batch, threads);
  const at::Tensor gradient = wants_gradient ? at::empty_like(unit.rows) : at::empty({0}, unit.rows.options());
  const double value = loss::info_nce(batch, values_of(unit.rows), temperature, values_of(gradient), workspace);
  if (!wants_gradient) return {value, {}};
  loss::unit_gradient(batch, values_of(unit.rows), values_of(unit.inverse_norms), values_of(gradient), threads);
  return {value, gradient};
}

Fused fused_spectral(const loss::Batch& batch, const at::Tensor& z, bool wants_gradient, int threads,
                     const SharedBatch& spread) {
  if (!spread.group.alone()) {
    const auto [value, gradient] = loss::shared_spectral(z, batch.views, wants_gradient, spread);
    return {value, gradient};
  }
  std::vector<float> workspace(static_cast<size_t>(loss::spectral_workspace(batch)));
  const at::Tensor gradient = wants_gradient ? at::empty_like(z) : at::empty({0}, z.options());
  const double value = loss::spectral(batch, values_of(z), values_of(gradient), workspace, threads);
  return {value, wants_gradient ? gradient : at::Tensor()};
}

// Fills in what is told besides the loss.
UnitRows compare_rows(const loss::Batch& batch, const at::Tensor& plain, double norm_eps, const SharedBatch& spread,
                      LossResult& result) {
  check(norm_eps > 0, "[contrastive_loss] expected a positive norm_eps, got ", norm_eps);
  const UnitRows unit = {at::empty_like(plain), at::empty({batch.rows}, plain.options())};
  result.zero_rows = loss::unit_rows(batch, values_of(plain), norm_eps, values_of(unit.rows),
                                     values_of(unit.inverse_norms), at::get_num_threads());
  const at::Tensor sums = at::empty({2 * batch.dims}, at::kDouble);
  const std::span<double> room(sums.data_ptr<double>(), static_cast<size_t>(2 * batch.dims));
  loss::CosineSums parts = loss::cosine_sums(batch, values_of(unit.rows), room);
  at::Tensor total = sums.narrow(0, 0, batch.dims);
  if (!spread.group.alone()) {
    const std::vector<double> own = {parts.own, parts.within, static_cast<double>(result.zero_rows)};
    at::Tensor all = at::cat({total, at::tensor(own, at::kDouble)});
    spread.group.sum(all, "what the features are like");
    total = all.narrow(0, 0, batch.dims);
    parts = {all[batch.dims].item<double>(), all[batch.dims + 1].item<double>()};
    result.zero_rows = static_cast<int64_t>(all[batch.dims + 2].item<double>());
  }
  const loss::MeanCosines cosines =
      loss::mean_cosines(batch.views * spread.all_items(batch.images()), batch.views, parts,
                         {total.data_ptr<double>(), static_cast<size_t>(batch.dims)});
  result.positive_cosine = cosines.positive;
  result.negative_cosine = cosines.negative;
  return unit;
}

at::Tensor column_loss(const at::Tensor& z, int64_t views, const LossOptions& options, const SharedBatch& spread) {
  const bool barlow = options.name == "barlow";
  if (spread.group.alone()) return barlow ? loss::barlow(z, views, options) : loss::vicreg(z, views, options);
  return barlow ? loss::shared_barlow(z, views, options, spread) : loss::shared_vicreg(z, views, options, spread);
}

LossResult whole_loss(const at::Tensor& z, int64_t views, const LossOptions& options, const SharedBatch& spread) {
  const loss::Batch batch = checked_batch(z, views, spread);
  check(kLosses.contains(options.name),
        "[contrastive_loss] expected a loss out of infonce, spectral, barlow, vicreg, got '", options.name, "'");
  const int threads = at::get_num_threads();
  const at::Tensor plain = z.detach().contiguous();
  LossResult result;
  const UnitRows unit = compare_rows(batch, plain, options.norm_eps, spread, result);

  if (options.name == "barlow" || options.name == "vicreg") {
    result.loss = column_loss(z, views, options, spread);
    result.value = result.loss.item<double>();
    return result;
  }
  const bool wants_gradient = z.requires_grad() && at::GradMode::is_enabled();
  const Fused fused = options.name == "infonce"
                          ? fused_info_nce(batch, unit, options.temperature, wants_gradient, threads, spread)
                          : fused_spectral(batch, plain, wants_gradient, threads, spread);
  result.value = fused.value;
  result.loss = wants_gradient ? loss::with_known_gradient(z, fused.value, fused.gradient)
                               : at::scalar_tensor(fused.value, plain.options());
  return result;
}

LossResult nested_loss(const at::Tensor& z, int64_t views, const LossOptions& options, const SharedBatch& spread) {
  check(z.dim() == 2 && options.nested < z.size(1), "[contrastive_loss] expected fewer nested features than the ",
        z.dim() == 2 ? z.size(1) : 0, " there are, got ", options.nested);
  LossResult all = whole_loss(z, views, options, spread);
  const LossResult first = whole_loss(z.narrow(1, 0, options.nested), views, options, spread);
  all.loss = (all.loss + first.loss) / 2;
  all.value = (all.value + first.value) / 2;
  return all;
}

}  // namespace

LossResult compare_views(const at::Tensor& z, int64_t views, double norm_eps, const SharedBatch& spread) {
  LossResult result;
  compare_rows(checked_batch(z, views, spread), z.detach().contiguous(), norm_eps, spread, result);
  return result;
}

LossResult contrastive_loss(const at::Tensor& z, int64_t views, const LossOptions& options, const SharedBatch& spread) {
  return options.nested > 0 ? nested_loss(z, views, options, spread) : whole_loss(z, views, options, spread);
}

}  // namespace orthant
