#pragma once

#include <cstdint>

#include "orthant/run/checkpoint.h"

namespace orthant {

// Where a run is: `batch` batches of epoch `epoch` are done, and `step` steps in all.
struct Position {
  int64_t epoch = 0;
  int64_t batch = 0;
  int64_t step = 0;

  void save(Checkpoint& checkpoint) const;
  static Position restored(const Checkpoint& checkpoint);  // IoError if it does not say
};

// Means over the steps of an epoch so far.
struct EpochTally {
  double loss = 0;
  double steps = 0;
  double correct = 0;
  double counted = 0;
  double zero_rows = 0;

  void save(Checkpoint& checkpoint) const;
  static EpochTally restored(const Checkpoint& checkpoint);  // IoError if it does not say
};

}  // namespace orthant
