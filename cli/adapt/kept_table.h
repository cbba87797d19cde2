#pragma once

#include <string>
#include <vector>

#include "orthant/adapt/watch.h"

namespace orthant::cli {

// What codes keep, as a table for a terminal: a row for the vectors, for each number of features on, and for chance.
std::string kept_table(const adapt::Watch& watch, std::vector<adapt::Kept> table);

}  // namespace orthant::cli
