#pragma once

#include <cstdint>

#include "learn/train/trainer.h"

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

// Runs one step to warm up and a few to time on `trainer`, which is spent afterwards.
Plan make_plan(Trainer& trainer);

}  // namespace orthant
