#pragma once

#include <cstdint>
#include <optional>

#include "orthant/index/index.h"

namespace orthant::index {

// Asks an index for the neighbours of 256 of its items, spread over all of it, exactly, and looks in which blocks they
// lie: how many of the best blocks must be read to find a share of them. An item does not find itself.
RecallCurve measure_recall(const Index& index, int threads);

// What an approximate search must do.
struct RecallPlan {
  int64_t blocks = 0;   // to read; 0: an exact search is less work, or no number of blocks is enough
  double promised = 1;  // the recall that was asked for, or 1
  double measured = 1;  // mean over the items that were asked for
  double error = 0;     // its standard error
};

// The fewest blocks whose measured recall is at least `recall`, from 0 to 1, and stays so two standard errors below.
RecallPlan plan_for(const Index& index, double recall);

}  // namespace orthant::index
