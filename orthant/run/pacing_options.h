#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "orthant/core/fields.h"

namespace orthant {

// When a training run of any kind speaks and saves; nothing of it changes what is learned. A part of other options,
// whose section has these settings as its own.
struct PacingOptions {
  int64_t log_steps = 10;
  int64_t checkpoint_steps = 0;     // 0: only by time and at the ends of epochs
  double checkpoint_seconds = 300;  // 0: only by steps and at the ends of epochs

  bool operator==(const PacingOptions&) const = default;
};

template <class Options, class Visitor>
requires std::same_as<std::remove_const_t<Options>, PacingOptions>
void for_each_field(Options& o, Visitor&& visit) {
  visit(Field{"log_steps", "Steps between two lines of metrics", {.min = 1, .max = 1e9}}, o.log_steps);
  visit(Field{"checkpoint_steps", "Steps between two checkpoints; 0: by time only", {.min = 0, .max = 1e9}},
        o.checkpoint_steps);
  visit(Field{"checkpoint_seconds", "Seconds between two checkpoints; 0: by steps only", {.min = 0, .max = 1e9}},
        o.checkpoint_seconds);
}

}  // namespace orthant
