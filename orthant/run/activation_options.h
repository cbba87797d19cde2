#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>

#include "orthant/core/fields.h"

namespace orthant {

// sigma+, the map that makes a projector's output non-negative before the loss sees it: f+(x) = sigma+(f(x)).
//
//   none        z                           contrastive learning as usual
//   relu        max(z, 0)                   exact zeros; no gradient below zero
//   rep_relu    max(z, 0)                   exact zeros; backward as the erf-GELU's, Phi(z) + z phi(z), so that a
//                                           unit below zero can come back
//   gelu        z Phi(z)                    down to -0.17: not non-negative
//   sigmoid     1 / (1 + e^-z)              dense
//   softplus    log(1 + e^z)                dense
//   exp         e^z                         dense; overflows float32 above 88
//   leaky_relu  max(z, leak z)              not non-negative
//   topk        relu of the `topk` largest entries of each row, zero elsewhere
struct ActivationOptions {
  std::string name = "rep_relu";
  int64_t topk = 32;   // of topk only: entries kept per row, 1 .. K
  double leak = 0.01;  // of leaky_relu only: the slope below zero

  // What enters it; see learn/nn/gate.h.
  bool standardise = false;  // each feature scaled to mean 0 and deviation 1 over the batch
  double active = 0;         // features on per item that a threshold holds, whatever `sparsity` says; 0: none
  double sparsity = 0;       // share of zeros that a threshold holds; 0: as it comes
  bool each = false;         // a threshold for each feature, which then all are on equally often
  double floor = 0;          // least share of items that a feature is on for: those below get a lower threshold

  bool operator==(const ActivationOptions&) const = default;
};

// Lists every setting once; see orthant/core/fields.h.
template <class Options, class Visitor>
requires std::same_as<std::remove_const_t<Options>, ActivationOptions>
void for_each_field(Options& options, Visitor&& visit) {
  visit(Field{"name",
              "Map applied to the projector's output before the loss",
              {.choices = {"none", "relu", "rep_relu", "gelu", "sigmoid", "softplus", "exp", "leaky_relu", "topk"}}},
        options.name);
  visit(Field{"topk", "Entries that topk keeps per row", {.min = 1}}, options.topk);
  visit(Field{"leak", "Slope of leaky_relu below zero", {.min = 0, .max = 1}}, options.leak);
  visit(Field{"standardise", "Each feature is scaled to mean 0 and deviation 1 before it"}, options.standardise);
  visit(Field{"active",
              "Features on per item that a threshold holds, whatever sparsity says; 0: none",
              {.min = 0, .max = 1 << 20}},
        options.active);
  visit(Field{"sparsity", "Share of zeros that a threshold holds; 0: as it comes", {.min = 0, .max = 0.9999}},
        options.sparsity);
  visit(Field{"each", "A threshold for each feature, so that all are on equally often"}, options.each);
  visit(Field{"floor",
              "Least share of items that each feature is held on for; 0: features may die",
              {.min = 0, .max = 0.5}},
        options.floor);
}

// The share of `features` that is to be on; 0: nothing is said.
inline double active_share(const ActivationOptions& options, int64_t features) {
  if (options.active > 0) return options.active / static_cast<double>(features);
  return options.sparsity > 0 ? 1 - options.sparsity : 0;
}

}  // namespace orthant
