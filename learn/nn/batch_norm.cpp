#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include <span>

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

struct FusedBatchNorm : torch::autograd::Function<FusedBatchNorm> {
  static torch::autograd::variable_list forward(torch::autograd::AutogradContext* context, const at::Tensor& input,
                                                const at::Tensor& gamma, const at::Tensor& beta,
                                                const c10::optional<at::Tensor>& residual, bool relu, double eps) {
    const at::Tensor x = rows_of(input);
    const at::Tensor rest = residual ? rows_of(*residual) : at::Tensor();
    const int64_t channels = x.size(1);
    const int64_t rows = x.numel() / channels;
    const int threads = at::get_num_threads();
    const at::Tensor scratch = at::empty({batch_norm_scratch(channels)}, x.options());
    at::Tensor mean = at::empty({channels}, x.options());
    at::Tensor variance = at::empty({channels}, x.options());
    batch_norm_statistics(span_of(x), rows, channels, threads, span_of(scratch), span_of(mean), span_of(variance));
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
    context->mark_non_differentiable({mean, variance});
    return {y, mean, variance};
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
    const at::Tensor a = gamma * deviation;
    const at::Tensor b = a * deviation * deviation * sum_gx / static_cast<double>(-rows);
    const at::Tensor c = a * sum_g / static_cast<double>(-rows) - b * mean;
    at::Tensor dx = at::empty_like(x);
    const at::Tensor& g = masked.defined() ? masked : dy;
    batch_norm_apply_gradient(span_of(x), masked.defined() ? BatchNormMask{} : mask, span_of(g), span_of(a), span_of(b),
                              span_of(c), rows, channels, threads, span_of(dx));
    return {dx, sum_gx * deviation, sum_g, with_residual ? g : at::Tensor(), at::Tensor(), at::Tensor()};
  }
};

at::Tensor add_and_cut(at::Tensor y, const at::Tensor& residual, bool relu) {
  if (residual.defined()) y = y + residual;
  return relu ? at::relu(y) : y;
}

}  // namespace

BatchNormResult batch_norm_train(const at::Tensor& x, const at::Tensor& gamma, const at::Tensor& beta,
                                 const at::Tensor& residual, bool relu, double eps) {
  const int64_t rows = x.numel() / x.size(1);
  if (has_fast_path(x, x.size(1))) {
    const auto results = FusedBatchNorm::apply(
        x, gamma, beta, residual.defined() ? c10::make_optional(residual) : c10::nullopt, relu, eps);
    return {results[0], results[1], results[2], rows};
  }
  auto [y, mean, deviation] = at::native_batch_norm(x, gamma, beta, {}, {}, true, 0.0, eps);
  const at::Tensor variance = deviation.detach().pow(-2) - eps;
  return {add_and_cut(y, residual, relu), mean.detach(), variance, rows};
}

at::Tensor batch_norm_eval(const at::Tensor& x, const at::Tensor& gamma, const at::Tensor& beta, const at::Tensor& mean,
                           const at::Tensor& variance, const at::Tensor& residual, bool relu, double eps) {
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
