#include "learn/task/momentum_network.h"

#include <ATen/ATen.h>

#include <vector>

namespace orthant {
namespace {

std::vector<at::Tensor> parameters_of(Model& model) {
  std::vector<at::Tensor> list;
  model.visit_parameters([&](const std::string&, at::Tensor& tensor) { list.push_back(tensor.detach()); });
  return list;
}

std::vector<at::Tensor> buffers_of(Model& model) {
  std::vector<at::Tensor> list;
  model.visit_buffers([&](const std::string&, at::Tensor& tensor) { list.push_back(tensor); });
  return list;
}

void copy_all(const std::vector<at::Tensor>& from, const std::vector<at::Tensor>& to) {
  for (size_t i = 0; i < to.size(); ++i) to[i].copy_(from[i]);
}

}  // namespace

MomentumNetwork::MomentumNetwork(const Model& online) : model_(online.options()) { model_.train(true); }

void MomentumNetwork::become(Model& online) {
  copy_all(parameters_of(online), parameters_of(model_));
  copy_all(buffers_of(online), buffers_of(model_));
}

void MomentumNetwork::follow(Model& online, double momentum) {
  const std::vector<at::Tensor> leading = parameters_of(online);
  const std::vector<at::Tensor> own = parameters_of(model_);
  for (size_t i = 0; i < own.size(); ++i) own[i].mul_(momentum).add_(leading[i], 1 - momentum);
}

at::Tensor MomentumNetwork::forward(const at::Tensor& rows, const PassOptions& options) {
  return forward_only(model_, rows, options);
}

void MomentumNetwork::visit_state(const TensorVisitor& visit) {
  model_.visit_parameters(visit);
  model_.visit_buffers(visit);
}

}  // namespace orthant
