#pragma once

#include <string>

#include "orthant/run/run_paths.h"
#include "orthant/towers/pair_recipe.h"

namespace orthant {

// The model file of one tower of a run, whose other one was written at the same step. std::invalid_argument if the run
// has one tower and another is wanted; IoError if a file is missing or the two are of different steps, as after a
// program was killed between them.
std::string tower_file(const RunPaths& run, Tower tower);

}  // namespace orthant
