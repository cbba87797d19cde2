#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include <span>

#include "learn/nn/ops.h"
#include "learn/nn/sequence_kernels.h"
#include "learn/nn/tensors.h"
#include "orthant/core/error.h"

namespace orthant::ops {
namespace {

std::span<float> span_of(const at::Tensor& tensor) {
  return {tensor.data_ptr<float>(), static_cast<size_t>(tensor.numel())};
}

Bags bags_of(const at::Tensor& ids) {
  return {
      .ids = {ids.data_ptr<int32_t>(), static_cast<size_t>(ids.numel())}, .items = ids.size(0), .length = ids.size(1)};
}

struct BagMean : torch::autograd::Function<BagMean> {
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& table, const at::Tensor& ids) {
    const at::Tensor rows = table.contiguous();
    context->save_for_backward({ids});
    context->saved_data["rows"] = table.size(0);
    at::Tensor means = at::empty({ids.size(0), table.size(1)}, table.options().requires_grad(false));
    orthant::bag_mean(bags_of(ids), span_of(rows), table.size(1), at::get_num_threads(), span_of(means));
    return means;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    const at::Tensor ids = context->get_saved_variables()[0];
    const at::Tensor means = gradients[0].contiguous();
    at::Tensor table = at::empty({context->saved_data["rows"].toInt(), means.size(1)}, means.options());
    orthant::bag_mean_gradient(bags_of(ids), span_of(means), means.size(1), at::get_num_threads(), span_of(table));
    return {table, at::Tensor()};
  }
};

Segments segments_of(const at::Tensor& begins, int64_t heads, int64_t dims) {
  return {.begins = {begins.data_ptr<int64_t>(), static_cast<size_t>(begins.numel())},
          .heads = heads,
          .width = dims / heads};
}

struct SegmentAttention : torch::autograd::Function<SegmentAttention> {
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& input,
                            const at::Tensor& begins, int64_t heads) {
    const at::Tensor qkv = input.contiguous();
    context->save_for_backward({qkv, begins});
    context->saved_data["heads"] = heads;
    const int64_t dims = qkv.size(1) / 3;
    at::Tensor out = at::empty({qkv.size(0), dims}, qkv.options().requires_grad(false));
    orthant::segment_attention(segments_of(begins, heads, dims), span_of(qkv), at::get_num_threads(), span_of(out));
    return out;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const at::Tensor& qkv = saved[0];
    const Segments segments = segments_of(saved[1], context->saved_data["heads"].toInt(), qkv.size(1) / 3);
    const at::Tensor out = gradients[0].contiguous();
    at::Tensor result = at::empty_like(qkv);
    orthant::segment_attention_gradient(segments, span_of(qkv), span_of(out), at::get_num_threads(), span_of(result));
    return {result, at::Tensor(), at::Tensor()};
  }
};

}  // namespace

at::Tensor bag_mean(const at::Tensor& table, const at::Tensor& ids) {
  check(ids.dim() == 2 && ids.scalar_type() == at::kInt && ids.is_contiguous(),
        "[bag_mean] expected int32 ids [N, L], got shape ", shape_of(ids));
  check(ids.numel() == 0 || ids.max().item<int32_t>() < table.size(0), "[bag_mean] expected ids below ", table.size(0),
        ", got ", ids.numel() == 0 ? 0 : ids.max().item<int32_t>());
  return BagMean::apply(table, ids);
}

at::Tensor segment_attention(const at::Tensor& qkv, const at::Tensor& begins, int64_t heads) {
  return SegmentAttention::apply(qkv, begins, heads);
}

}  // namespace orthant::ops
