#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "learn/group/group.h"
#include "learn/nn/module.h"
#include "orthant/fit/logistic.h"

namespace orthant {

// A linear classifier under torchvision's name: features [N, K] to a score (logit) for each class, W f + b.
//
// Weights that must not be negative are W = sigma+(V) with the rep_relu of orthant/run/activation_options.h, V being
// what the optimiser moves: an entry that went below zero is an exact zero in W, and the gradient can bring it back. V
// starts as the absolute values of what it would be otherwise, so that the sizes are the usual ones and none starts at
// zero. The bias is free. Scores themselves never pass a sigma+: that would be another loss.
class ClassHead : public Module {
 public:
  // Uniform in +-1 / sqrt(features) as torch's Linear, from streams of `seed`.
  ClassHead(int64_t features, int64_t classes, uint64_t seed, bool nonneg_weights = false);

  at::Tensor forward(const at::Tensor& features) const;
  // As it is now: W, not V.
  fit::LogisticModel classifier() const;

 private:
  at::Tensor weights() const;

  bool nonneg_;
  at::Tensor weight_;  // "fc.weight" [C, K]: V if nonneg_
  at::Tensor bias_;    // "fc.bias" [C]
};

// Cross entropy with PyTorch's meaning of smoothing and weights:
//   sum_i [ (1 - smoothing) w_{y_i} l_i(y_i) + smoothing / C sum_c w_c l_i(c) ] / sum_i w_{y_i},  l_i(c) = -log
//   softmax_c.
struct CrossEntropyOptions {
  double smoothing = 0;
  std::vector<double> class_weights = {};  // one for each class; empty: 1
};

struct CrossEntropy {
  at::Tensor loss;      // scalar, connected to the scores by autograd
  int64_t correct = 0;  // rows whose class has the highest score
};

// Of scores [N, C] and classes [N] (int64) in 0 .. C - 1, and of those of all ranks of `group`; the gradient is that of
// the scores here.
CrossEntropy cross_entropy(const at::Tensor& scores, const at::Tensor& classes, const CrossEntropyOptions& options = {},
                           const Group& group = {});

}  // namespace orthant
