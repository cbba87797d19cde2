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

loss::Batch checked_batch(const at::Tensor& z, std::span<const int64_t> labels, const LossOptions& options,
                          const SharedBatch& spread) {
  const auto items = std::ssize(labels);
  check(z.defined() && z.dim() == 2 && z.scalar_type() == at::kFloat && z.device().is_cpu() && z.size(1) >= 1,
        "[supcon] expected a float32 matrix [V*B, K] on the CPU, got ",
        z.defined() ? join(z.toString(), " of ", z.dim(), " dimensions") : "nothing");
  check(items >= 1 && spread.all_items(items) >= 2 && z.size(0) % items == 0 && z.size(0) / items >= 2,
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

// The same where the rows are spread: `own` are those of `unit` [N, K] that `slope` is wanted of, at the places
// `own_rows`. With l a row's logarithm of the sum of exponentials, dL/ds_ij + dL/ds_ji = (e^(s_ij - l_i) + e^(s_ij -
// l_j) - T_ij - T_ji) / N needs l and the number of positives of row j, which are gathered.
double compare_own(const at::Tensor& own, const at::Tensor& own_rows, const at::Tensor& unit, const at::Tensor& classes,
                   int64_t views, double temperature, const SharedBatch& spread, at::Tensor& slope) {
  const auto rows = static_cast<double>(unit.size(0));
  const at::Tensor own_classes = classes.index_select(0, own_rows);
  // Of a block of own rows: similarities with the row itself masked, and who is of the same class.
  const auto compared = [&](int64_t begin, int64_t count) {
    const at::Tensor itself = own_rows.narrow(0, begin, count).unsqueeze(1);
    at::Tensor scores = at::mm(own.narrow(0, begin, count), unit.t()).div_(temperature);
    at::Tensor same = own_classes.narrow(0, begin, count).unsqueeze(1).eq(classes.unsqueeze(0)).to(at::kFloat);
    scores.scatter_(1, itself, -INFINITY);
    same.scatter_(1, itself, 0);
    return std::pair{scores, same};
  };
  at::Tensor facts = at::empty({own.size(0), 2}, at::kDouble);  // of each own row: l, and the number of positives
  double total = 0;
  for (int64_t begin = 0; begin < own.size(0); begin += kBlock) {
    const int64_t count = std::min(kBlock, own.size(0) - begin);
    const auto [scores, same] = compared(begin, count);
    const at::Tensor log_total = at::logsumexp(scores, 1);
    const at::Tensor positives = same.sum(1);
    const at::Tensor attracted = scores.masked_fill(same.eq(0), 0).sum(1) / positives;
    total += (log_total - attracted).to(at::kDouble).sum().item<double>();
    facts.narrow(0, begin, count).select(1, 0).copy_(log_total);
    facts.narrow(0, begin, count).select(1, 1).copy_(positives);
  }
  const at::Tensor all = spread.group.gather_views(facts, views, spread.items, "sums of all rows").to(at::kFloat);
  for (int64_t begin = 0; slope.defined() && begin < own.size(0); begin += kBlock) {
    const int64_t count = std::min(kBlock, own.size(0) - begin);
    const auto [scores, same] = compared(begin, count);
    const at::Tensor here = facts.narrow(0, begin, count).to(at::kFloat);
    const at::Tensor weights = (scores - here.narrow(1, 0, 1)).exp_() + (scores - all.select(1, 0)).exp_() -
                               same * (here.narrow(1, 1, 1).reciprocal() + all.select(1, 1).reciprocal());
    slope.narrow(0, begin, count).copy_(at::mm(weights, unit).div_(temperature * rows));
  }
  return spread.group.sum(total, "sums of losses") / rows;
}

// The classes of all items, by item, and the places of this rank's rows among all.
at::Tensor all_classes(std::span<const int64_t> labels, const SharedBatch& spread) {
  const at::Tensor own = at::tensor(at::IntArrayRef(labels.data(), labels.size()), at::kLong);
  return spread.group.gather_views(own, 1, spread.all_items(std::ssize(labels)), "classes of all ranks");
}

}  // namespace

LossResult supervised_contrastive_loss(const at::Tensor& z, std::span<const int64_t> labels, const LossOptions& options,
                                       const SharedBatch& spread) {
  const loss::Batch batch = checked_batch(z, labels, options, spread);
  const int threads = at::get_num_threads();
  const bool wants_gradient = z.requires_grad() && at::GradMode::is_enabled();
  const at::NoGradGuard no_gradients;
  const at::Tensor plain = z.detach().contiguous();
  const at::Tensor unit = at::empty_like(plain);
  const at::Tensor inverse_norms = at::empty({batch.rows}, plain.options());
  LossResult result = compare_views(plain, batch.views, options.norm_eps, spread);
  loss::unit_rows(batch, values_of(plain), options.norm_eps, values_of(unit), values_of(inverse_norms), threads);
  const at::Tensor classes = all_classes(labels, spread).repeat({batch.views});
  at::Tensor slope = wants_gradient ? at::empty_like(unit) : at::Tensor();
  if (spread.group.alone()) {
    result.value = compare(unit, classes, options.temperature, slope);
  } else {
    const at::Tensor places = spread.group.own_views(at::arange(classes.size(0)), batch.views, spread.items);
    const at::Tensor all = spread.group.gather_views(unit, batch.views, spread.items, "features of all ranks");
    result.value = compare_own(unit, places, all, classes, batch.views, options.temperature, spread, slope);
  }
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
