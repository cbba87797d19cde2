#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "orthant/core/fields.h"

namespace orthant {

// The MLP between the backbone and the loss: (depth - 1) times Linear [- batch norm] - ReLU, then Linear. The paper has
// 2,048 hidden units for CIFAR, which a small network on a CPU has no use for.
struct ProjectorOptions {
  int64_t hidden = 1024;
  int64_t out = 256;
  int64_t depth = 2;        // linear layers; 0: none, the features are what the loss sees
  bool batch_norm = false;  // after each hidden linear layer, before its ReLU

  bool operator==(const ProjectorOptions&) const = default;
};

// Lists every setting once; see orthant/core/fields.h.
template <class Options, class Visitor>
requires std::same_as<std::remove_const_t<Options>, ProjectorOptions>
void for_each_field(Options& o, Visitor&& visit) {
  visit(Field{"hidden", "Width of the projector's hidden layers", {.min = 1, .max = 1 << 20}}, o.hidden);
  visit(Field{"out", "Number of features that the loss sees", {.min = 1, .max = 1 << 20}}, o.out);
  visit(Field{"depth", "Linear layers of the projector; 0: no projector", {.min = 0, .max = 100}}, o.depth);
  visit(Field{"batch_norm", "Batch norm in the projector's hidden layers"}, o.batch_norm);
}

}  // namespace orthant
