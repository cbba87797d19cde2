#include "learn/task/recipe_task.h"

#include "learn/task/contrastive_task.h"
#include "learn/task/labelled_task.h"

namespace orthant {

std::unique_ptr<ModelTask> make_recipe_task(const Recipe& recipe, TrainingData data, const Group& group) {
  if (learns_from_labels(recipe.train.method)) return std::make_unique<LabelledTask>(recipe, std::move(data), group);
  return std::make_unique<ContrastiveTask>(recipe, std::move(data), group);
}

}  // namespace orthant
