#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include <span>

#include "learn/nn/ops.h"
#include "learn/nn/winograd.h"
#include "learn/tiles/bf16_ops.h"
#include "orthant/core/error.h"

namespace orthant::ops {
namespace {

thread_local Detour* detour = nullptr;

std::span<float> span_of(const at::Tensor& tensor) {
  return tensor.defined() ? std::span<float>(tensor.data_ptr<float>(), static_cast<size_t>(tensor.numel()))
                          : std::span<float>();
}

WinogradShape shape_of(const at::Tensor& x, int64_t out, int64_t stride) {
  return {.batch = x.size(0), .height = x.size(2), .width = x.size(3), .in = x.size(1), .out = out, .stride = stride};
}

at::Tensor empty_image(const at::Tensor& like, int64_t channels, int64_t height, int64_t width) {
  return at::empty({like.size(0), channels, height, width},
                   like.options().memory_format(at::MemoryFormat::ChannelsLast).requires_grad(false));
}

struct WinogradConv : torch::autograd::Function<WinogradConv> {
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& input,
                            const at::Tensor& weight, int64_t stride) {
    const at::Tensor x = input.contiguous(at::MemoryFormat::ChannelsLast);
    const at::Tensor w = weight.contiguous();
    context->save_for_backward({x, w});
    context->saved_data["stride"] = stride;
    const int threads = at::get_num_threads();
    const WinogradShape shape = shape_of(x, w.size(0), stride);
    const at::Tensor panels = at::empty({winograd_weight_floats(shape.in, shape.out)}, x.options());
    winograd_weights(span_of(w), shape, threads, span_of(panels));
    const at::Tensor scratch = at::empty({winograd_forward_scratch(shape, threads)}, x.options());
    at::Tensor y = empty_image(x, shape.out, shape.out_height(), shape.out_width());
    winograd_forward(span_of(x), span_of(panels), shape, threads, span_of(scratch), span_of(y));
    return y;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const at::Tensor& x = saved[0];
    const at::Tensor& w = saved[1];
    const at::Tensor dy = gradients[0].contiguous(at::MemoryFormat::ChannelsLast);
    const int threads = at::get_num_threads();
    const WinogradShape shape = shape_of(x, w.size(0), context->saved_data["stride"].toInt());
    at::Tensor dx;
    at::Tensor dw;
    at::Tensor panels;
    if (context->needs_input_grad(0)) {
      dx = empty_image(x, shape.in, shape.height, shape.width);
      panels = at::empty({winograd_weight_floats(shape.in, shape.out)}, x.options());
      winograd_weights_transposed(span_of(w), shape, threads, span_of(panels));
    }
    if (context->needs_input_grad(1)) dw = at::empty_like(w);
    const at::Tensor scratch = at::empty({winograd_backward_scratch(shape, threads)}, x.options());
    winograd_backward(span_of(x), span_of(dy), span_of(panels), shape, threads, span_of(scratch), span_of(dx),
                      span_of(dw));
    return {dx, dw, at::Tensor()};
  }
};

// 1x1: every pixel's channels times the same matrix. [N, C, H, W] channels-last is [N H W, C] without a copy.
at::Tensor pointwise(const at::Tensor& input, const at::Tensor& weight, int64_t stride) {
  at::Tensor pixels = input.permute({0, 2, 3, 1});
  if (stride > 1) pixels = pixels.slice(1, 0, c10::nullopt, stride).slice(2, 0, c10::nullopt, stride);
  pixels = pixels.contiguous();
  const at::Tensor matrix = weight.flatten(1);
  at::Tensor y = at::mm(pixels.flatten(0, 2), matrix.t());
  return y.view({pixels.size(0), pixels.size(1), pixels.size(2), matrix.size(0)}).permute({0, 3, 1, 2});
}

// 2x2 with stride 2: the four pixels of a patch side by side, then as above.
at::Tensor patchwise(const at::Tensor& input, const at::Tensor& weight) {
  const int64_t n = input.size(0);
  const int64_t rows = input.size(2) / 2;
  const int64_t columns = input.size(3) / 2;
  const int64_t depth = 4 * input.size(1);
  const at::Tensor pixels = input.permute({0, 2, 3, 1}).contiguous().view({n, rows, 2, columns, 2, input.size(1)});
  const at::Tensor patches = pixels.transpose(2, 3).reshape({n * rows * columns, depth});
  const at::Tensor matrix = weight.permute({0, 2, 3, 1}).reshape({weight.size(0), depth});
  return at::mm(patches, matrix.t()).view({n, rows, columns, weight.size(0)}).permute({0, 3, 1, 2});
}

bool is_square(const at::Tensor& weight, int64_t size) { return weight.size(2) == size && weight.size(3) == size; }

}  // namespace

bool has_fast_path(const at::Tensor& x, int64_t channels) {
  return x.device().is_cpu() && x.scalar_type() == at::kFloat && channels % kWinogradLanes == 0 && x.numel() > 0;
}

Detour::Detour() {
  check(detour == nullptr, "[network] expected one way through the layers at a time, got a second");
  detour = this;
}
Detour::~Detour() { detour = nullptr; }
Detour* Detour::taken() { return detour; }

at::Tensor max_pool2d(const at::Tensor& x, int64_t kernel, int64_t stride, int64_t padding) {
  if (detour != nullptr) return detour->max_pool2d(x, kernel, stride, padding);
  return at::max_pool2d(x, kernel, stride, padding);
}

at::Tensor conv2d(const at::Tensor& x, const at::Tensor& weight, int64_t stride, int64_t padding) {
  if (detour != nullptr) return detour->conv2d(x, weight, stride, padding);
  if (takes_bf16_conv(x, weight, padding)) return bf16_conv2d(x, weight, stride, padding);
  const bool fast = has_fast_path(x, x.size(1)) && weight.size(0) % kWinogradLanes == 0;
  const bool even = x.size(2) % 2 == 0 && x.size(3) % 2 == 0;
  if (fast && is_square(weight, 3) && stride <= 2 && padding == 1) return WinogradConv::apply(x, weight, stride);
  if (fast && is_square(weight, 1) && padding == 0) return pointwise(x, weight, stride);
  if (fast && is_square(weight, 2) && stride == 2 && padding == 0 && even) return patchwise(x, weight);
  return at::conv2d(x, weight, {}, stride, padding);
}

}  // namespace orthant::ops
