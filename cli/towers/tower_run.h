#pragma once

#include <optional>
#include <string>

#include "orthant/run/run_paths.h"
#include "orthant/sources/open.h"
#include "orthant/towers/pair_recipe.h"

namespace orthant::cli {

// The recipe of a run of two towers; nothing for a run of one, or a file. Throws what reading it throws.
std::optional<PairRecipe> pair_recipe_of(const std::string& run);

// The model file that a user means by `run` and "a" or "b": a run's, or the file itself. Throws as run_model_file() and
// tower_file(); Misuse for the second tower of a file.
std::string model_file_of(const std::string& run, const std::string& tower);

// What the tower was trained on, in the order of the pairs, so that rows of both towers belong together.
DatasetPtr open_tower_data(const PairRecipe& recipe, const std::string& tower, const DataOptions& options);

// "a" or "b" as its tower.
Tower tower_of(const std::string& name);

}  // namespace orthant::cli
