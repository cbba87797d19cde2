#pragma once

#include <cstdint>

#include "learn/train/speed.h"
#include "orthant/run/recipe.h"

namespace orthant {

// What a run will take.
struct Plan {
  int64_t steps = 0;
  int64_t steps_per_epoch = 0;
  int64_t evaluations = 0;
  double seconds_training = 0;    // of all steps
  double seconds_evaluating = 0;  // on held-out data
  double seconds_decoding = 0;    // of pictures that are not in memory
  double seconds = 0;             // of all of it
};

// Of `recipe` on `items` items to learn from and `held_out` that are not, at `speed`.
Plan make_plan(const Recipe& recipe, const Speed& speed, int64_t items, int64_t held_out);

// What one evaluation does, in items of training: a forward pass costs a sixth of training on two views.
double evaluation_items(const Recipe& recipe, int64_t items, int64_t held_out);

}  // namespace orthant
