#include "learn/explain/flow.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>

#include "learn/nn/ops.h"

namespace orthant {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr float kLeast = 1e-30F;  // a difference that counts

at::Tensor first_half(const at::Tensor& both) { return both.narrow(0, 0, both.size(0) / 2); }
at::Tensor difference(const at::Tensor& both) {
  return first_half(both) - both.narrow(0, both.size(0) / 2, both.size(0) / 2);
}
// Parts belong to the pictures alone.
at::Tensor with_others(const at::Tensor& parts) { return at::cat({parts, at::zeros_like(parts)}); }

// 1 / sums where `counts`.
at::Tensor inverse(const at::Tensor& sums, const at::Tensor& counts) {
  return at::where(counts.logical_and(sums.abs().gt(kLeast)), 1 / sums, at::zeros_like(sums));
}

// In all of these a batch is of pictures, then of the others; what comes back is no gradient but parts, shared out.

struct FlowConv : torch::autograd::Function<FlowConv> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& weight, int64_t stride,
                            int64_t padding) {
    const at::Tensor moved = difference(x);
    const at::Tensor signs = at::cat({moved.clamp_min(0), moved.clamp_max(0)}, 1);
    const at::Tensor up = at::conv2d(signs, raising(weight), {}, stride, padding);
    const at::Tensor down = at::conv2d(signs, lowering(weight), {}, stride, padding);
    const at::Tensor rose = (up + down).gt(0);
    context->save_for_backward({moved, weight, inverse(up, rose), inverse(down, rose.logical_not())});
    context->saved_data["stride"] = stride;
    context->saved_data["padding"] = padding;
    return at::conv2d(x, weight, {}, stride, padding);
  }

  static variable_list backward(AutogradContext* context, variable_list parts) {
    const auto saved = context->get_saved_variables();
    const at::Tensor& moved = saved[0];
    const at::Tensor& weight = saved[1];
    const int64_t stride = context->saved_data["stride"].toInt();
    const int64_t padding = context->saved_data["padding"].toInt();
    const at::Tensor own = first_half(parts[0]);
    // Rows and columns at the end that no window reached.
    const auto unreached = [&](int64_t dim) {
      return moved.size(dim) - ((own.size(dim) - 1) * stride - 2 * padding + weight.size(dim));
    };
    const std::vector<int64_t> more = {unreached(2), unreached(3)};
    const auto back = [&](const at::Tensor& shares, const at::Tensor& weights) {
      return at::conv_transpose2d(shares, weights, {}, stride, padding, more);
    };
    const at::Tensor shares = back(own * saved[2], raising(weight)) + back(own * saved[3], lowering(weight));
    const int64_t channels = moved.size(1);
    return {with_others(moved.clamp_min(0) * shares.narrow(1, 0, channels) +
                        moved.clamp_max(0) * shares.narrow(1, channels, channels)),
            at::Tensor(), at::Tensor(), at::Tensor()};
  }

 private:
  // What makes a unit rise: inputs that did by weights above 0, and those that fell by weights below.
  static at::Tensor raising(const at::Tensor& weight) { return at::cat({weight.clamp_min(0), weight.clamp_max(0)}, 1); }
  static at::Tensor lowering(const at::Tensor& weight) {
    return at::cat({weight.clamp_max(0), weight.clamp_min(0)}, 1);
  }
};

struct FlowSum : torch::autograd::Function<FlowSum> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& a, const at::Tensor& b) {
    const at::Tensor sign = difference(a + b).sign();
    const at::Tensor of_a = (difference(a) * sign).clamp_min(0);
    const at::Tensor all = of_a + (difference(b) * sign).clamp_min(0);
    context->save_for_backward({at::where(all.gt(kLeast), of_a / all, at::ones_like(all))});
    return a + b;
  }

  static variable_list backward(AutogradContext* context, variable_list parts) {
    const at::Tensor share = context->get_saved_variables()[0];
    const at::Tensor own = first_half(parts[0]);
    return {with_others(own * share), with_others(own * (1 - share))};
  }
};

// x scale + shift, cut at zero or not.
struct FlowScale : torch::autograd::Function<FlowScale> {
  static at::Tensor forward(AutogradContext* /*context*/, const at::Tensor& x, const at::Tensor& scale,
                            const at::Tensor& shift) {
    return x * scale.reshape({1, -1, 1, 1}) + shift.reshape({1, -1, 1, 1});
  }
  static variable_list backward(AutogradContext* /*context*/, variable_list parts) {
    return {parts[0], at::Tensor(), at::Tensor()};
  }
};

struct FlowCut : torch::autograd::Function<FlowCut> {
  static at::Tensor forward(AutogradContext* /*context*/, const at::Tensor& x) { return at::relu(x); }
  static variable_list backward(AutogradContext* /*context*/, variable_list parts) { return {parts[0]}; }
};

struct FlowPool : torch::autograd::Function<FlowPool> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input, int64_t kernel, int64_t stride,
                            int64_t padding) {
    const at::Tensor x = input.contiguous();
    const auto [y, places] = at::max_pool2d_with_indices(x, kernel, stride, padding);
    const int64_t half = y.size(0) / 2;
    // Where it rose, the largest now is the one that did; where it fell, the one that was the largest.
    const at::Tensor place =
        at::where(difference(y).gt(0), places.narrow(0, 0, half), places.narrow(0, half, half)).flatten(2);
    context->save_for_backward({place});
    context->saved_data["height"] = x.size(2);
    context->saved_data["width"] = x.size(3);
    return y;
  }

  static variable_list backward(AutogradContext* context, variable_list parts) {
    const at::Tensor place = context->get_saved_variables()[0];
    const int64_t height = context->saved_data["height"].toInt();
    const int64_t width = context->saved_data["width"].toInt();
    const at::Tensor own = first_half(parts[0]).contiguous().flatten(2);
    const at::Tensor below = at::zeros({own.size(0), own.size(1), height * width}).scatter_add(2, place, own);
    return {with_others(below.reshape({own.size(0), own.size(1), height, width})), at::Tensor(), at::Tensor(),
            at::Tensor()};
  }
};

struct SharingOut : ops::Detour {
  at::Tensor conv2d(const at::Tensor& x, const at::Tensor& weight, int64_t stride, int64_t padding) override {
    return FlowConv::apply(x, weight.detach(), stride, padding);
  }
  at::Tensor normalise(const at::Tensor& x, const at::Tensor& scale, const at::Tensor& shift,
                       const at::Tensor& residual, bool relu) override {
    at::Tensor y = FlowScale::apply(x, scale.detach(), shift.detach());
    if (residual.defined()) y = FlowSum::apply(y, residual);
    return relu ? FlowCut::apply(y) : y;
  }
  at::Tensor max_pool2d(const at::Tensor& x, int64_t kernel, int64_t stride, int64_t padding) override {
    return FlowPool::apply(x, kernel, stride, padding);
  }
};

}  // namespace

Flow::Flow(Encoder& encoder, const at::Tensor& pictures, const at::Tensor& others) {
  const at::AutoGradMode on(true);
  const SharingOut detour;
  input_ = at::cat({pictures, others}).detach().requires_grad_();
  both_ = encoder.grid(input_);
  if (!both_.defined()) return;
  const int64_t count = pictures.size(0);
  grid_ = both_.detach().narrow(0, 0, count);
  other_grid_ = both_.detach().narrow(0, count, count);
}

at::Tensor Flow::to_pixels(const at::Tensor& parts) const {
  const auto below = torch::autograd::grad({both_}, {input_}, {with_others(parts)}, /*retain_graph=*/true);
  return first_half(below.front()).sum(1);
}

}  // namespace orthant
