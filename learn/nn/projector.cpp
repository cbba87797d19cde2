#include "learn/nn/projector.h"

#include <ATen/ATen.h>

#include "learn/nn/gate.h"
#include "learn/nn/layers.h"
#include "learn/nn/tensors.h"
#include "orthant/core/error.h"

namespace orthant {

struct Projector::Layers : Module {
  int64_t in = 0;
  int64_t out = 0;
  std::vector<std::unique_ptr<Linear>> linears;
  std::vector<std::unique_ptr<BatchNorm>> norms;  // one per hidden layer, or none
  std::string last;                               // name of the last linear layer
  std::unique_ptr<Gate> gate;                     // or none

  Layers(int64_t features, const ProjectorOptions& options, Initialiser init, const ActivationOptions& activation)
      : in(features), out(options.depth == 0 ? features : options.out) {
    int64_t position = 0;
    for (int64_t i = 0; i < options.depth; ++i) {
      const bool is_last = i + 1 == options.depth;
      linears.push_back(
          std::make_unique<Linear>(i == 0 ? features : options.hidden, is_last ? out : options.hidden, init));
      last = std::to_string(position++);
      part(last, *linears.back());
      if (is_last) break;
      if (options.batch_norm) {
        norms.push_back(std::make_unique<BatchNorm>(options.hidden));
        part(std::to_string(position++), *norms.back());
      }
      ++position;
    }
    if (!has_gate(activation)) return;
    gate = std::make_unique<Gate>(out, activation);
    part("gate", *gate);
  }
};

Projector::Projector(int64_t features, const ProjectorOptions& options, uint64_t seed,
                     const ActivationOptions& activation) {
  check(options.depth >= 0 && options.hidden > 0 && options.out > 0,
        "[projector] expected a depth of at least 0 and positive widths, got depth ", options.depth, ", hidden ",
        options.hidden, ", out ", options.out);
  check(options.depth > 0 || !has_gate(activation),
        "[projector] expected a layer whose output is standardised or held sparse, got a projector of depth 0");
  layers_ = std::make_unique<Layers>(features, options, Initialiser(seed), activation);
}

Projector::~Projector() = default;

at::Tensor Projector::before_gate(const at::Tensor& features) {
  check(features.dim() == 2 && features.size(1) == layers_->in, "[projector] expected features [N, ", layers_->in,
        "], got shape ", shape_of(features));
  at::Tensor x = features;
  const auto& linears = layers_->linears;
  for (size_t i = 0; i < linears.size(); ++i) {
    x = linears[i]->forward(x);
    if (i + 1 == linears.size()) break;
    x = layers_->norms.empty() ? x.relu_() : layers_->norms[i]->forward(x, true);
  }
  return x;
}

at::Tensor Projector::forward(const at::Tensor& features) {
  const at::Tensor y = before_gate(features);
  return layers_->gate ? layers_->gate->forward(y) : y;
}

bool Projector::is_settled() const { return !layers_->gate || layers_->gate->is_settled(); }

void Projector::settle(const at::Tensor& features) {
  if (layers_->gate) layers_->gate->settle(before_gate(features));
}

void Projector::visit_parameters(const TensorVisitor& visit) { layers_->visit_parameters(visit); }
void Projector::visit_buffers(const TensorVisitor& visit) { layers_->visit_buffers(visit); }

at::Tensor Projector::taken() const { return layers_->gate ? layers_->gate->taken() : at::Tensor(); }

void Projector::visit_folded(const TensorVisitor& visit, const at::Tensor& scales, const at::Tensor& order) {
  std::map<std::string, at::Tensor> tensors;
  const auto take = [&](const std::string& name, at::Tensor& tensor) { tensors[name] = tensor.detach(); };
  visit_parameters(take);
  visit_buffers(take);
  if (const auto& gate = layers_->gate) {
    gate->fold(tensors.at(layers_->last + ".weight"), tensors.at(layers_->last + ".bias"));
    gate->visit_buffers([&](const std::string& name, at::Tensor&) { tensors.erase("gate." + name); });
  }
  if (scales.defined()) {
    at::Tensor& weight = tensors.at(layers_->last + ".weight");
    at::Tensor& bias = tensors.at(layers_->last + ".bias");
    weight = (weight * scales.unsqueeze(1)).index_select(0, order);
    bias = (bias * scales).index_select(0, order);
  }
  for (auto& [name, tensor] : tensors) visit(name, tensor);
}

void Projector::train(bool on) { layers_->train(on); }
void Projector::join(const Group& rows, const Group& norms) { layers_->join(rows, norms); }
int64_t Projector::out() const { return layers_->out; }

double Projector::flops() const {
  double sum = 0;
  for (const auto& linear : layers_->linears) sum += linear->flops();
  return sum;
}

}  // namespace orthant
