#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include <span>

#include "learn/group/shared_statistics.h"
#include "learn/nn/batch_norm_kernels.h"
#include "learn/nn/ops.h"

namespace orthant::ops {
namespace {

std::span<float> span_of(const at::Tensor& tensor) {
  return tensor.defined() ? std::span<float>(tensor.data_ptr<float>(), static_cast<size_t>(tensor.numel()))
                          : std::span<float>();
}

// Channels innermost, so that the memory is [rows, channels].
at::Tensor rows_of(const at::Tensor& x) {
  if (!x.defined()) return x;
  return x.dim() == 4 ? x.contiguous(at::MemoryFormat::ChannelsLast) : x.contiguous();
}

// A group that waits for the backward pass.
struct HeldGroup : torch::CustomClassHolder {
  explicit HeldGroup(Group held) : group(std::move(held)) {}
  Group group;
};

void hold(torch::autograd::AutogradContext* context, const Group& group, int64_t all_rows) {
  context->saved_data["group"] = c10::IValue::make_capsule(c10::make_intrusive<HeldGroup>(group));
  context->saved_data["rows"] = all_rows;
}

const Group& group_of(torch::autograd::AutogradContext* context) {
  return static_cast<const HeldGroup&>(*context->saved_data["group"].toCapsule()).group;
}

// Both sums become those over all ranks.
void share_sums(const Group& group, at::Tensor& sum_g, at::Tensor& sum_gx) {
  if (group.alone()) return;
  at::Tensor both = at::stack({sum_g, sum_gx}).to(at::kDouble);
  group.sum(both, "gradients of batch norm");
  sum_g = both[0].to(at::kFloat);
  sum_gx = both[1].to(at::kFloat);
}

struct FusedBatchNorm : torch::autograd::Function<FusedBatchNorm> {
  static torch::autograd::variable_list forward(torch::autograd::AutogradContext* context, const at::Tensor& input,
                                                const at::Tensor& gamma, const at::Tensor& beta,
                                                const c10::optional<at::Tensor>& residual, bool relu, double eps,
                                                const Group& group) {
    const at::Tensor x = rows_of(input);
    const at::Tensor rest = residual ? rows_of(*residual) : at::Tensor();
    const int64_t channels = x.size(1);
    const int64_t rows = x.numel() / channels;
    const int threads = at::get_num_threads();
    const at::Tensor scratch = at::empty({batch_norm_scratch(channels)}, x.options());
    at::Tensor mean = at::empty({channels}, x.options());
    at::Tensor variance = at::empty({channels}, x.options());
    batch_norm_statistics(span_of(x), rows, channels, threads, span_of(scratch), span_of(mean), span_of(variance));
    const int64_t all_rows = share_statistics(group, mean, variance, rows);
    hold(context, group, all_rows);
    const at::Tensor deviation = (variance + eps).rsqrt();
    const at::Tensor scale = gamma * deviation;
    const at::Tensor shift = beta - mean * scale;
    at::Tensor y = at::empty_like(x);
    batch_norm_apply(span_of(x), span_of(scale), span_of(shift), span_of(rest), relu, rows, channels, threads,
                     span_of(y));
    const bool with_residual = residual.has_value();
    context->save_for_backward({x, relu && with_residual ? y : at::Tensor(), gamma, mean, deviation,
                                relu && !with_residual ? at::stack({scale, shift}) : at::Tensor()});
    context->saved_data["residual"] = with_residual;
    const at::Tensor count = at::scalar_tensor(all_rows, at::kLong);
    context->mark_non_differentiable({mean, variance, count});
    return {y, mean, variance, count};
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const at::Tensor& x = saved[0];
    const at::Tensor& y = saved[1];
    const at::Tensor& gamma = saved[2];
    const at::Tensor& mean = saved[3];
    const at::Tensor& deviation = saved[4];
    const at::Tensor& line = saved[5];
    BatchNormMask mask{.scale = {}, .shift = {}, .y = span_of(y)};
    if (line.defined()) mask = {.scale = span_of(line[0]), .shift = span_of(line[1]), .y = {}};
    const at::Tensor dy = rows_of(gradients[0]);
    const int64_t channels = x.size(1);
    const int64_t rows = x.numel() / channels;
    const int threads = at::get_num_threads();
    const at::Tensor scratch = at::empty({batch_norm_scratch(channels)}, x.options());
    at::Tensor sum_g = at::empty({channels}, x.options());
    at::Tensor sum_gx = at::empty({channels}, x.options());
    const bool with_residual = context->saved_data["residual"].toBool();
    const at::Tensor masked = with_residual && y.defined() ? at::empty_like(x) : at::Tensor();
    batch_norm_reduce_gradient(span_of(x), mask, span_of(dy), span_of(mean), rows, channels, threads, span_of(scratch),
                               span_of(masked), span_of(sum_g), span_of(sum_gx));
    const at::Tensor d_beta = sum_g;
    const at::Tensor d_gamma = sum_gx * deviation;
    share_sums(group_of(context), sum_g, sum_gx);
    const auto all_rows = static_cast<double>(context->saved_data["rows"].toInt());
    const at::Tensor a = gamma * deviation;
    const at::Tensor b = a * deviation * deviation * sum_gx / -all_rows;
    const at::Tensor c = a * sum_g / -all_rows - b * mean;
    at::Tensor dx = at::empty_like(x);
    const at::Tensor& g = masked.defined() ? masked : dy;
    batch_norm_apply_gradient(span_of(x), masked.defined() ? BatchNormMask{} : mask, span_of(g), span_of(a), span_of(b),
                              span_of(c), rows, channels, threads, span_of(dx));
    return {dx, d_gamma, d_beta, with_residual ? g : at::Tensor(), at::Tensor(), at::Tensor(), at::Tensor()};
  }
};

// The same by plain tensor operations, without residual and ReLU, for what has no fast path.
struct PlainBatchNorm : torch::autograd::Function<PlainBatchNorm> {
  // A row of each channel, for tensors whose channels are the second dimension.
  static at::Tensor along(const at::Tensor& channels, const at::Tensor& x) {
    return x.dim() == 4 ? channels.view({1, -1, 1, 1}) : channels;
  }
  static at::Tensor sum_over_rows(const at::Tensor& x) {
    return x.dim() == 4 ? x.sum(at::IntArrayRef{0, 2, 3}) : x.sum(0);
  }

  static torch::autograd::variable_list forward(torch::autograd::AutogradContext* context, const at::Tensor& x,
                                                const at::Tensor& gamma, const at::Tensor& beta, double eps,
                                                const Group& group) {
    const int64_t rows = x.numel() / x.size(1);
    at::Tensor mean = sum_over_rows(x) / static_cast<double>(rows);
    at::Tensor variance = sum_over_rows((x - along(mean, x)).square()) / static_cast<double>(rows);
    const int64_t all_rows = share_statistics(group, mean, variance, rows);
    hold(context, group, all_rows);
    const at::Tensor deviation = (variance + eps).rsqrt();
    context->save_for_backward({x, gamma, mean, deviation});
    const at::Tensor count = at::scalar_tensor(all_rows, at::kLong);
    context->mark_non_differentiable({mean, variance, count});
    return {(x - along(mean, x)) * along(gamma * deviation, x) + along(beta, x), mean, variance, count};
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const at::Tensor& x = saved[0];
    const at::Tensor& dy = gradients[0];
    const at::Tensor& deviation = saved[3];
    const at::Tensor centred = x - along(saved[2], x);
    at::Tensor sum_g = sum_over_rows(dy);
    at::Tensor sum_gx = sum_over_rows(dy * centred);
    const at::Tensor d_beta = sum_g;
    const at::Tensor d_gamma = sum_gx * deviation;
    share_sums(group_of(context), sum_g, sum_gx);
    const auto all_rows = static_cast<double>(context->saved_data["rows"].toInt());
    const at::Tensor a = saved[1] * deviation;
    const at::Tensor dx =
        along(a, x) * (dy - along(sum_g / all_rows, x) - centred * along(deviation.square() * sum_gx / all_rows, x));
    return {dx, d_gamma, d_beta, at::Tensor(), at::Tensor()};
  }
};

at::Tensor add_and_cut(at::Tensor y, const at::Tensor& residual, bool relu) {
  if (residual.defined()) y = y + residual;
  return relu ? at::relu(y) : y;
}

}  // namespace

BatchNormResult batch_norm_train(const at::Tensor& x, const at::Tensor& gamma, const at::Tensor& beta,
                                 const at::Tensor& residual, bool relu, double eps, const Group& group) {
  const bool fast = has_fast_path(x, x.size(1));
  if (fast || !group.alone()) {
    const auto results =
        fast ? FusedBatchNorm::apply(x, gamma, beta, residual.defined() ? c10::make_optional(residual) : c10::nullopt,
                                     relu, eps, group)
             : PlainBatchNorm::apply(x, gamma, beta, eps, group);
    return {fast ? results[0] : add_and_cut(results[0], residual, relu), results[1], results[2],
            results[3].item<int64_t>()};
  }
  auto [y, mean, deviation] = at::native_batch_norm(x, gamma, beta, {}, {}, true, 0.0, eps);
  const at::Tensor variance = deviation.detach().pow(-2) - eps;
  return {add_and_cut(y, residual, relu), mean.detach(), variance, x.numel() / x.size(1)};
}

at::Tensor batch_norm_eval(const at::Tensor& x, const at::Tensor& gamma, const at::Tensor& beta, const at::Tensor& mean,
                           const at::Tensor& variance, const at::Tensor& residual, bool relu, double eps) {
  if (Detour* detour = Detour::taken()) {
    const at::Tensor scale = gamma * (variance + eps).rsqrt();
    return detour->normalise(x, scale, beta - mean * scale, residual, relu);
  }
  if (at::GradMode::is_enabled() || !has_fast_path(x, x.size(1))) {
    return add_and_cut(at::batch_norm(x, gamma, beta, mean, variance, false, 0.0, eps, false), residual, relu);
  }
  const at::Tensor rows = rows_of(x);
  const at::Tensor scale = gamma * (variance + eps).rsqrt();
  const at::Tensor shift = beta - mean * scale;
  at::Tensor y = at::empty_like(rows);
  batch_norm_apply(span_of(rows), span_of(scale), span_of(shift), span_of(rows_of(residual)), relu,
                   rows.numel() / rows.size(1), rows.size(1), at::get_num_threads(), span_of(y));
  return y;
}

}  // namespace orthant::ops
