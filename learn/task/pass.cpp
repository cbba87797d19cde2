#include "learn/task/pass.h"
#include "learn/nn/nonneg.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace orthant {
namespace {

struct Outputs {
  at::Tensor features;
  at::Tensor z;
};

Outputs forward(Model& model, const at::Tensor& rows, double blend) {
  const at::Tensor features = model.backbone(rows);
  return {features, nonneg(model.project(features), model.options().activation, blend)};
}

Pass whole_pass(Model& model, const at::Tensor& rows, const PassOptions& options) {
  const Outputs out = forward(model, rows, options.blend);
  Pass pass{contrastive_loss(out.z, options.views, options.loss), out.features.detach(), out.z.detach()};
  if (std::isfinite(pass.loss.value)) pass.loss.loss.backward();
  return pass;
}

std::vector<at::Tensor> buffers_of(Model& model) {
  std::vector<at::Tensor> copies;
  model.visit_buffers([&](const std::string&, at::Tensor& buffer) { copies.push_back(buffer.clone()); });
  return copies;
}

void put_back(Model& model, const std::vector<at::Tensor>& copies) {
  size_t next = 0;
  model.visit_buffers([&](const std::string&, at::Tensor& buffer) { buffer.copy_(copies[next++]); });
}

Outputs forward_in_chunks(Model& model, const at::Tensor& rows, const PassOptions& options) {
  const at::NoGradGuard no_gradients;
  const std::vector<at::Tensor> buffers = buffers_of(model);
  std::vector<at::Tensor> features;
  std::vector<at::Tensor> z;
  for (const at::Tensor& chunk : rows.split(options.chunk)) {
    const Outputs out = forward(model, chunk, options.blend);
    features.push_back(out.features);
    z.push_back(out.z);
  }
  put_back(model, buffers);
  return {at::cat(features), at::cat(z)};
}

Pass chunked_pass(Model& model, const at::Tensor& rows, const PassOptions& options) {
  const Outputs out = forward_in_chunks(model, rows, options);
  const at::Tensor z = out.z.requires_grad_(true);
  Pass pass{contrastive_loss(z, options.views, options.loss), out.features, z.detach()};
  if (!std::isfinite(pass.loss.value)) return pass;
  pass.loss.loss.backward();
  const auto slopes = z.grad().split(options.chunk);
  const auto chunks = rows.split(options.chunk);
  for (size_t c = 0; c < chunks.size(); ++c) forward(model, chunks[c], options.blend).z.backward(slopes[c]);
  return pass;
}

}  // namespace

Pass forward_backward(Model& model, const at::Tensor& rows, const PassOptions& options) {
  const bool in_pieces = options.chunk > 0 && options.chunk < rows.size(0);
  return in_pieces ? chunked_pass(model, rows, options) : whole_pass(model, rows, options);
}

}  // namespace orthant
