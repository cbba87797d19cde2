#pragma once

#include <ATen/core/Tensor.h>

#include "learn/loss/loss.h"
#include "learn/nn/module.h"

namespace orthant {

// How much each feature counts, learned with the network (triCL: Zhang, Wang and Wang, NeurIPS 2023): s [K], positive,
// of mean 1, so that the scale of similarities stays that of the features. Similarities are sums over features of z_k
// s_k z'_k, which are those of z sqrt(s) on both sides.
//
//   s = softplus(a + 100 q) / mean of it,   softplus(a) = 1
//
// The parameter q [K], "importance", starts at 0: all features count alike. It moves as weights do, and s thus a
// hundred times as fast: what features are worth is found while they are learned, instead of long after.
class Importance : public Module {
 public:
  explicit Importance(int64_t features);

  // s [K], which autograd connects to q.
  at::Tensor values() const;
  // How many features count: K where all do alike, 1 where one does alone. (sum of s)^2 / sum of s^2.
  double effective() const;
  // After a step: no q falls below -0.1, where a feature counts a ten-thousandth and can still come back.
  void hold();

 private:
  at::Tensor q_;
};

struct ImportantLoss {
  LossResult result;         // `loss` is all of it; value, cosines and zero rows are those of L(z sqrt(s))
  double decorrelation = 0;  // D(z)
};

// L(z sqrt(s)) + options.decorrelation * D(z): L is contrastive_loss() of options, infonce or spectral; z [V*B, K] as
// there; s [K] is positive, float32. The importance stands on both sides of every product, as its root, so that
// similarities stay symmetric. The gradient reaches z and s, in a batch that is spread over ranks the part of this
// rank's rows. s of ones gives the value of L(z), to the last bit.
ImportantLoss important_loss(const at::Tensor& z, const at::Tensor& s, int64_t views, const LossOptions& options,
                             const SharedBatch& spread = {});

// D(z) = |K G / tr G - I|^2 / K, with G the sum of z_i z_i' over the rows: 0 where features are uncorrelated (about
// zero, not about their means) and of one size. z may be of any floating type; autograd passes through. infonce
// compares directions, so its rows are taken at unit length: then tr G is their number, and G = rows I / K is a target
// that can be reached, while G = rows I, that of the published code, cannot. spectral takes rows as they are.
//
// Without it s means nothing: a column of z can be a times as large and its s a^2 times as small. With it the columns
// are the principal axes of z sqrt(s), and s says how long they are.
at::Tensor feature_decorrelation(const at::Tensor& z, const LossOptions& options, const Group& group = {});

}  // namespace orthant
