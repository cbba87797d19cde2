#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "learn/group/group.h"
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

  // The gradient on features [V*B, F], whose rows v*B + b are of class labels[b]; -1 is unknown and left out. Both are
  // of this rank's items; gradient and result are those of all ranks of `group`. std::invalid_argument if their numbers
  // do not go together.
  Result backward(const at::Tensor& features, std::span<const int64_t> labels, const Group& group = {});
  // One step along the gradient of the last backward(); none if no row had a label.
  void step(double rate);

  // "weight" [classes, F], "bias" [classes], and their momentum.
  void visit_state(const TensorVisitor& visit);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace orthant
