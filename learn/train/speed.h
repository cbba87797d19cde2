#pragma once

#include <cstdint>

#include "learn/group/group.h"
#include "orthant/data/dataset.h"
#include "orthant/run/recipe.h"

namespace orthant {

// What a recipe costs on this machine, measured.
struct Speed {
  int64_t parameters = 0;
  double flops_per_item = 0;      // forward, one view; training costs about three times that per view
  double seconds_per_item = 0;    // of training: all views of one item, there and back; its picture is in memory
  double seconds_per_decode = 0;  // of a picture on all threads together; 0 for vectors
  int64_t bytes_per_picture = 0;  // decoded; 0 for vectors
  int64_t peak_bytes = 0;         // memory of this process with batches of recipe.train.batch; a run needs little more
  Traffic step = {};              // what a rank of a group tells others in a step
};

// Makes the network of the recipe on `data` and trains it for about `seconds`, at least two steps of 32 items; nothing
// of it is kept. As a rank of `group`, which only rehearses, it does its share of every batch. std::invalid_argument if
// recipe and data do not go together.
Speed measure_speed(const Recipe& recipe, const DatasetPtr& data, double seconds, const Group& group = {});

}  // namespace orthant
