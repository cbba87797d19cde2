#pragma once

#include <memory>

#include "learn/task/model_task.h"

namespace orthant {

// The task of recipe.train.method: ContrastiveTask or LabelledTask. std::invalid_argument if recipe and data do not go
// together.
std::unique_ptr<ModelTask> make_recipe_task(const Recipe& recipe, TrainingData data);

}  // namespace orthant
