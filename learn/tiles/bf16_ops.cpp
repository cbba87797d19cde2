#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include <span>
#include <vector>

#include "learn/tiles/bf16_conv.h"
#include "learn/tiles/bf16_ops.h"
#include "orthant/core/amx.h"
#include "orthant/core/error.h"

namespace orthant::ops {
namespace {

thread_local bool rounds = false;

// Fewer make mostly empty tiles, and are the colours of a picture, the first layer's input.
constexpr int64_t kFewestChannels = 16;

std::span<float> span_of(const at::Tensor& tensor) {
  return {tensor.data_ptr<float>(), static_cast<size_t>(tensor.numel())};
}

std::span<Bf16> tiles_of(const at::Tensor& tensor) {
  return {reinterpret_cast<Bf16*>(tensor.data_ptr<int16_t>()), static_cast<size_t>(tensor.numel())};
}

at::Tensor numbers(int64_t count) { return at::empty({count}, at::kShort); }

Bf16ConvShape shape_of(const at::Tensor& x, const at::Tensor& w, int64_t stride, int64_t padding) {
  return {.batch = x.size(0),
          .height = x.size(2),
          .width = x.size(3),
          .in = x.size(1),
          .out = w.size(0),
          .kernel = w.size(2),
          .stride = stride,
          .padding = padding};
}

at::Tensor empty_image(const at::Tensor& like, int64_t channels, int64_t height, int64_t width) {
  return at::empty({like.size(0), channels, height, width},
                   like.options().memory_format(at::MemoryFormat::ChannelsLast).requires_grad(false));
}

struct Bf16Conv : torch::autograd::Function<Bf16Conv> {
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& input,
                            const at::Tensor& weight, int64_t stride, int64_t padding) {
    const at::Tensor x = input.contiguous(at::MemoryFormat::ChannelsLast);
    const at::Tensor w = weight.contiguous();
    context->save_for_backward({x, w});
    context->saved_data["stride"] = stride;
    context->saved_data["padding"] = padding;
    const int threads = at::get_num_threads();
    const Bf16ConvShape shape = shape_of(x, w, stride, padding);
    const at::Tensor tiles = numbers(bf16_weight_numbers(shape));
    bf16_weights(span_of(w), shape, threads, tiles_of(tiles));
    const at::Tensor scratch = numbers(bf16_forward_scratch(shape, threads));
    at::Tensor y = empty_image(x, shape.out, shape.out_height(), shape.out_width());
    bf16_forward(span_of(x), tiles_of(tiles), shape, threads, tiles_of(scratch), span_of(y));
    return y;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const at::Tensor& x = saved[0];
    const at::Tensor& w = saved[1];
    const at::Tensor dy = gradients[0].contiguous(at::MemoryFormat::ChannelsLast);
    const int threads = at::get_num_threads();
    const Bf16ConvShape shape =
        shape_of(x, w, context->saved_data["stride"].toInt(), context->saved_data["padding"].toInt());
    at::Tensor dx;
    at::Tensor dw;
    if (context->needs_input_grad(0)) {
      const at::Tensor tiles = numbers(bf16_weight_numbers(shape));
      bf16_weights_transposed(span_of(w), shape, threads, tiles_of(tiles));
      const at::Tensor scratch = numbers(bf16_input_gradient_scratch(shape, threads));
      dx = empty_image(x, shape.in, shape.height, shape.width);
      bf16_input_gradient(span_of(dy), tiles_of(tiles), shape, threads, tiles_of(scratch), span_of(dx));
    }
    if (context->needs_input_grad(1)) {
      const at::Tensor scratch = numbers(bf16_weight_gradient_scratch(shape, threads));
      const at::Tensor sums = at::empty({bf16_weight_gradient_sums(shape, threads)}, x.options().requires_grad(false));
      dw = at::empty_like(w);
      bf16_weight_gradient(span_of(x), span_of(dy), shape, threads, tiles_of(scratch), span_of(sums), span_of(dw));
    }
    return {dx, dw, at::Tensor(), at::Tensor()};
  }
};

bool is_plain(const at::Tensor& x) { return x.device().is_cpu() && x.scalar_type() == at::kFloat && x.numel() > 0; }

}  // namespace

void check_precision(const std::string& precision) {
  check(precision != "bfloat16" || missing_amx().empty(),
        "[train.precision] expected a machine with AMX bf16 tiles for bfloat16, got ", missing_amx());
}

Bf16Scope::Bf16Scope(const std::string& precision) : before_(rounds) {
  check_precision(precision);
  rounds = precision == "bfloat16";
}
Bf16Scope::~Bf16Scope() { rounds = before_; }

bool takes_bf16_conv(const at::Tensor& x, const at::Tensor& weight, int64_t padding) {
  return rounds && is_plain(x) && x.size(1) >= kFewestChannels && weight.size(2) == weight.size(3) &&
         weight.size(2) <= kMostBf16Kernel && padding < weight.size(2);
}

at::Tensor bf16_conv2d(const at::Tensor& x, const at::Tensor& weight, int64_t stride, int64_t padding) {
  return Bf16Conv::apply(x, weight, stride, padding);
}

at::Tensor linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  if (!rounds || !is_plain(x) || weight.size(1) < kFewestChannels) return at::linear(x, weight, bias);
  const int64_t in = weight.size(1);
  const int64_t out = weight.size(0);
  const at::Tensor rows = x.reshape({-1, in, 1, 1});
  const at::Tensor y = Bf16Conv::apply(rows, weight.view({out, in, 1, 1}), 1, 0);
  std::vector<int64_t> shape = x.sizes().vec();
  shape.back() = out;
  return y.reshape(shape) + bias;
}

}  // namespace orthant::ops
