#pragma once

#include <cstdint>

#include "learn/nn/module.h"
#include "orthant/run/activation_options.h"

namespace orthant {

// What stands between the projector's last layer and sigma+: a threshold is taken from every feature, in deviations of
// its own and the same number of them for all (or, by choice, for each its own), which moves after every batch until
// the wanted share of entries is above zero. A feature that is on for less than a floor gets a lower one until it is on
// again. By choice features are scaled to mean 0 and deviation 1 over the batch before. docs/losses.md has the
// formulas.
//
// In training the statistics are those of the batch, of all ranks that the gate joined, and the running ones and the
// threshold follow; otherwise they are as they were left. The gate is then a scale and a shift of each feature, which
// fold() puts into the layer before.
class Gate : public Module {
 public:
  // Of `features` features. std::invalid_argument if the wanted share leaves none or all of them.
  Gate(int64_t features, const ActivationOptions& options);

  // [N, features] to the same.
  at::Tensor forward(const at::Tensor& y);

  // What the last forward() took from each feature [features].
  const at::Tensor& taken() const { return taken_; }

  // weight [features, H] and bias [features] of a linear layer become those of layer and gate together.
  void fold(at::Tensor& weight, at::Tensor& bias) const;

 private:
  void follow(const at::Tensor& gated, const at::Tensor& unit);

  double wanted_;  // share of entries above zero; 0: as it comes
  double floor_;   // least share of each feature; 0: none
  bool standardise_;
  bool each_;
  at::Tensor mean_;       // [features]
  at::Tensor variance_;   // [features]
  at::Tensor threshold_;  // [features]
  at::Tensor rate_;       // [features]: share of rows above zero, of late
  at::Tensor taken_;      // [features]
};

// Whether options ask for one, and the same options without.
bool has_gate(const ActivationOptions& options);
ActivationOptions without_gate(ActivationOptions options);

}  // namespace orthant
