#include "learn/nn/nonneg.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

#include <array>
#include <string_view>

#include "orthant/core/error.h"

namespace orthant {
namespace {

struct RepRelu : torch::autograd::Function<RepRelu> {
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& z) {
    context->save_for_backward({z});
    return at::relu(z);
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    return {at::gelu_backward(gradients[0], context->get_saved_variables()[0])};
  }
};

at::Tensor top_k(const at::Tensor& z, int64_t k) {
  check(z.dim() > 0 && k >= 1 && k <= z.size(-1), "[nonneg] expected topk from 1 to the row's length (",
        z.dim() > 0 ? z.size(-1) : 0, "), got ", k);
  const at::Tensor kept = std::get<1>(at::topk(z.detach(), k, -1, /*largest=*/true, /*sorted=*/false));
  const at::Tensor mask = at::zeros_like(z.detach()).scatter_(-1, kept, 1);
  return at::relu(z * mask);
}

struct Entry {
  std::string_view name;
  bool nonnegative;
  at::Tensor (*map)(const at::Tensor& z, const ActivationOptions& options);
};

const std::array<Entry, 9> kEntries = {{
    {"none", false, [](const at::Tensor& z, const ActivationOptions&) { return z; }},
    {"relu", true, [](const at::Tensor& z, const ActivationOptions&) { return at::relu(z); }},
    {"rep_relu", true, [](const at::Tensor& z, const ActivationOptions&) { return RepRelu::apply(z); }},
    {"gelu", false, [](const at::Tensor& z, const ActivationOptions&) { return at::gelu(z); }},
    {"sigmoid", true, [](const at::Tensor& z, const ActivationOptions&) { return at::sigmoid(z); }},
    {"softplus", true, [](const at::Tensor& z, const ActivationOptions&) { return at::softplus(z); }},
    {"exp", true, [](const at::Tensor& z, const ActivationOptions&) { return at::exp(z); }},
    {"leaky_relu", false, [](const at::Tensor& z, const ActivationOptions& o) { return at::leaky_relu(z, o.leak); }},
    {"topk", true, [](const at::Tensor& z, const ActivationOptions& o) { return top_k(z, o.topk); }},
}};

const Entry& entry_of(const std::string& name) {
  std::string known;
  for (const Entry& entry : kEntries) {
    if (entry.name == name) return entry;
    known += known.empty() ? "" : ", ";
    known += entry.name;
  }
  check(false, "[nonneg] expected an activation out of ", known, ", got '", name, "'");
  return kEntries[0];
}

}  // namespace

at::Tensor nonneg(const at::Tensor& z, const ActivationOptions& options, double blend) {
  check(blend >= 0 && blend <= 1, "[nonneg] expected a blend from 0 to 1, got ", blend);
  const Entry& entry = entry_of(options.name);
  if (blend == 0) return z;
  const at::Tensor mapped = entry.map(z, options);
  return blend == 1 ? mapped : at::lerp(z, mapped, blend);
}

bool is_nonnegative(const ActivationOptions& options) { return entry_of(options.name).nonnegative; }

}  // namespace orthant
