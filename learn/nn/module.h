#pragma once

#include <string>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

#include "learn/group/group.h"
#include "learn/nn/tensors.h"

namespace orthant {

// A part of a network: tensors of its own and parts, each under a name. What is registered must live in the object
// itself, which therefore cannot be copied or moved.
class Module {
 public:
  Module() = default;
  virtual ~Module() = default;
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  // Every parameter (or buffer) in the order of registration, its own before its parts', the parts' names joined by
  // dots behind `prefix`.
  void visit_parameters(const TensorVisitor& visit, const std::string& prefix = "");
  void visit_buffers(const TensorVisitor& visit, const std::string& prefix = "");
  void train(bool on);
  bool training() const { return training_; }
  // From here on, in training, the rows of a batch are spread over the ranks of `rows`; batch norm takes its statistics
  // over those of `norms`.
  void join(const Group& rows, const Group& norms);

 protected:
  void parameter(std::string name, at::Tensor& tensor) { parameters_.emplace_back(std::move(name), &tensor); }
  void buffer(std::string name, at::Tensor& tensor) { buffers_.emplace_back(std::move(name), &tensor); }
  void part(std::string name, Module& module) { parts_.emplace_back(std::move(name), &module); }
  const Group& rows_group() const { return rows_; }
  const Group& norms_group() const { return norms_; }

 private:
  std::vector<std::pair<std::string, at::Tensor*>> parameters_;
  std::vector<std::pair<std::string, at::Tensor*>> buffers_;
  std::vector<std::pair<std::string, Module*>> parts_;
  bool training_ = true;
  Group rows_;
  Group norms_;
};

}  // namespace orthant
