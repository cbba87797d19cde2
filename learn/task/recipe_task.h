#pragma once

#include <memory>

#include "learn/task/model_task.h"

namespace orthant {

// The task of recipe.train.method, ContrastiveTask or LabelledTask, of the ranks of `group`. std::invalid_argument if
// recipe and data do not go together.
std::unique_ptr<ModelTask> make_recipe_task(const Recipe& recipe, TrainingData data, const Group& group = {});

}  // namespace orthant
