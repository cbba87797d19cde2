#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "learn/nn/tensors.h"

namespace orthant {

// A linear classifier that watches training: it learns from the backbone's features, cut off from them, so that the
// encoder never knows. Softmax regression by SGD with momentum 0.9 and no decay, from zero weights. One thread at a
// time.
class OnlineClassifier {
 public:
  OnlineClassifier(int64_t features, int64_t classes);
  ~OnlineClassifier();

  struct Result {
    double loss = 0;
    int64_t correct = 0;
    int64_t counted = 0;  // rows with a label
  };

  // One step on features [V*B, F], whose rows v*B + b are of class labels[b]; -1 is unknown and left out. The result
  // is that before the step.
  Result learn(const at::Tensor& features, std::span<const int64_t> labels, double rate);

  // "weight" [classes, F], "bias" [classes], and their momentum.
  void visit_state(const TensorVisitor& visit);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace orthant
