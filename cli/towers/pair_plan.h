#pragma once

#include "orthant/towers/pair_recipe.h"

namespace orthant::cli {

// Prints what a run of two towers would take, measured on a few steps, and every setting.
void print_pair_plan(const PairRecipe& recipe, const PairedData& train, bool json, bool quiet);

}  // namespace orthant::cli
