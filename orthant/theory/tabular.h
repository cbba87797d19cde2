#pragma once

#include <cstdint>

#include "orthant/core/matrix.h"
#include "orthant/theory/activation.h"

namespace orthant::theory {

enum class TabularLoss {
  spectral,  // -2 E_(x,x+) f(x).f(x+) + E_x,x- (f(x).f(x-))^2
  info_nce,  // -E_(x,x+) s(x, x+) / t + E_x log E_x- exp(s(x, x-) / t), s the cosine: as many negatives as can be
};

struct TabularOptions {
  int64_t dims = 8;  // k
  TabularLoss loss = TabularLoss::spectral;
  double temperature = 0.2;  // t, above 0; of info_nce
  Activation activation = Activation::rep_relu;
  int64_t steps = 600;      // at least 1
  double step_size = 0.05;  // of the first step of Adam; falls to 0 along half a cosine
  uint64_t seed = 0;
};

struct TabularGradient {
  double loss = 0;
  Matrix64 gradient;  // in f [N, k]
};

// The loss of features [N, k] over the whole joint distribution P(x, x') [N, N], symmetric, and its gradient; of
// info_nce a row of zeros has cosine 0 with everything, and its gradient is that at a length of 1e-3.
// std::invalid_argument for sizes that do not fit or a temperature that is not positive. Work: N^2 k.
TabularGradient tabular_gradient(const Matrix64& joint, const Matrix64& features, TabularLoss loss, double temperature);

struct TabularFeatures {
  Matrix64 features;  // f [N, k], after the activation
  double loss = 0;    // of these
};

// (Non-negative) contrastive learning of a table theta [N, k] in place of a network, without the noise of sampling:
// Adam on the loss over the whole distribution, f = activate(theta). One thread; equal options give equal features.
// std::invalid_argument as above, and for sizes below 1.
TabularFeatures learn_tabular(const Matrix64& joint, const TabularOptions& options = {});

}  // namespace orthant::theory
