#include "learn/loss/supcon.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "learn/loss/known_gradient.h"
#include "learn/loss/rows.h"
#include "orthant/core/error.h"

namespace orthant {
namespace {

constexpr int64_t kBlock = 256;  // rows that are compared with all others at once

std::span<float> values_of(const at::Tensor& tensor) {
  return {tensor.data_ptr<float>(), static_cast<size_t>(tensor.numel())};
}

loss::Batch checked_batch(const at::Tensor& z, std::span<const int64_t> labels, const LossOptions& options) {
  const auto items = std::ssize(labels);
  check(z.defined() && z.dim() == 2 && z.scalar_type() == at::kFloat && z.device().is_cpu() && z.size(1) >= 1,
        "[supcon] expected a float32 matrix [V*B, K] on the CPU, got ",
        z.defined() ? join(z.toString(), " of ", z.dim(), " dimensions") : "nothing");
  check(items >= 2 && z.size(0) % items == 0 && z.size(0) / items >= 2,
        "[supcon] expected 2 or more views of 2 or more items, got ", z.size(0), " rows for ", items, " labels");
  check(std::ranges::min(labels) >= 0, "[supcon] expected a label for every item, got ", std::ranges::min(labels));
  check(options.temperature >= kMinTemperature, "[supcon] expected a temperature of at least ", kMinTemperature,
        ", got ", options.temperature);
  check(options.norm_eps > 0, "[supcon] expected a positive norm_eps, got ", options.norm_eps);
  return {.rows = z.size(0), .dims = z.size(1), .views = z.size(0) / items};
}

// The loss of unit rows [N, K]; `slope` [N, K], unless undefined, receives the derivative with respect to them.
// With Q the softmax of a row's similarities to all others and T its targets 1 / |P(i)|, dL/ds = (Q - T) / N.
double compare(const at::Tensor& unit, const at::Tensor& classes, double temperature, at::Tensor& slope) {
  const int64_t rows = unit.size(0);
  double total = 0;
  if (slope.defined()) slope.zero_();
  for (int64_t begin = 0; begin < rows; begin += kBlock) {
    const int64_t count = std::min(kBlock, rows - begin);
    const at::Tensor block = unit.narrow(0, begin, count);
    at::Tensor scores = at::mm(block, unit.t()).div_(temperature);
    at::Tensor target = classes.narrow(0, begin, count).unsqueeze(1).eq(classes.unsqueeze(0)).to(at::kFloat);
    target.diagonal(begin).zero_();
    target.div_(target.sum(1, true));
    scores.diagonal(begin).fill_(-INFINITY);
    const at::Tensor log_total = at::logsumexp(scores, 1, true);
    scores.diagonal(begin).zero_();  // weighs nothing below: its target is 0
    total += (log_total.squeeze(1) - (scores * target).sum(1)).to(at::kDouble).sum().item<double>();
    if (!slope.defined()) continue;
    scores.sub_(log_total).exp_();
    scores.diagonal(begin).zero_();
    const at::Tensor weights = scores.sub_(target).div_(temperature * static_cast<double>(rows));
    slope.narrow(0, begin, count).add_(at::mm(weights, unit));
    slope.add_(at::mm(weights.t(), block));
  }
  return total / static_cast<double>(rows);
}

}  // namespace

LossResult supervised_contrastive_loss(const at::Tensor& z, std::span<const int64_t> labels,
                                       const LossOptions& options) {
  const loss::Batch batch = checked_batch(z, labels, options);
  const int threads = at::get_num_threads();
  const bool wants_gradient = z.requires_grad() && at::GradMode::is_enabled();
  const at::NoGradGuard no_gradients;
  const at::Tensor plain = z.detach().contiguous();
  const at::Tensor unit = at::empty_like(plain);
  const at::Tensor inverse_norms = at::empty({batch.rows}, plain.options());
  LossResult result;
  result.zero_rows =
      loss::unit_rows(batch, values_of(plain), options.norm_eps, values_of(unit), values_of(inverse_norms), threads);
  std::vector<double> sums(static_cast<size_t>(2 * batch.dims));
  const loss::MeanCosines cosines = loss::mean_cosines(batch, values_of(unit), sums);
  result.positive_cosine = cosines.positive;
  result.negative_cosine = cosines.negative;
  const at::Tensor classes = at::tensor(at::IntArrayRef(labels.data(), labels.size()), at::kLong).repeat({batch.views});
  at::Tensor slope = wants_gradient ? at::empty_like(unit) : at::Tensor();
  result.value = compare(unit, classes, options.temperature, slope);
  if (!wants_gradient) {
    result.loss = at::scalar_tensor(result.value, plain.options());
    return result;
  }
  loss::unit_gradient(batch, values_of(unit), values_of(inverse_norms), values_of(slope), threads);
  const at::AutoGradMode gradients(true);
  result.loss = loss::with_known_gradient(z, result.value, slope);
  return result;
}

}  // namespace orthant
