#include "learn/nn/module.h"

namespace orthant {

void Module::visit_parameters(const TensorVisitor& visit, const std::string& prefix) {
  for (const auto& [name, tensor] : parameters_) visit(prefix + name, *tensor);
  for (const auto& [name, module] : parts_) module->visit_parameters(visit, prefix + name + ".");
}

void Module::visit_buffers(const TensorVisitor& visit, const std::string& prefix) {
  for (const auto& [name, tensor] : buffers_) visit(prefix + name, *tensor);
  for (const auto& [name, module] : parts_) module->visit_buffers(visit, prefix + name + ".");
}

void Module::train(bool on) {
  training_ = on;
  for (const auto& [name, module] : parts_) module->train(on);
}

void Module::join(const Group& rows, const Group& norms) {
  rows_ = rows;
  norms_ = norms;
  for (const auto& [name, module] : parts_) module->join(rows, norms);
}

}  // namespace orthant
