#pragma once

#include <cstdint>

#include "orthant/data/dataset.h"
#include "orthant/run/recipe.h"

namespace orthant {

// What a run will cost.
struct Plan {
  int64_t parameters = 0;
  double flops_per_image = 0;  // forward, one view; training costs about three times that per view
  int64_t steps = 0;
  int64_t steps_per_epoch = 0;
  double seconds_per_step = 0;   // fastest of a few measured steps
  double images_per_second = 0;  // of training, each with all its views
  double seconds = 0;            // of all steps; measuring on held-out data comes on top
  int64_t peak_bytes = 0;        // memory of this process so far, which a run does not exceed by much
};

// Makes the network of pretraining on `data`, runs one step to warm up and a few to time. std::invalid_argument if
// recipe and data do not go together.
Plan make_plan(const Recipe& recipe, const DatasetPtr& data);

}  // namespace orthant
