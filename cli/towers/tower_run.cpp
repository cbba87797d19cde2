#include "cli/towers/tower_run.h"

#include "cli/frame/app.h"
#include "cli/frame/run_model.h"
#include "orthant/io/settings_file.h"
#include "orthant/towers/tower_files.h"

namespace orthant::cli {

std::optional<PairRecipe> pair_recipe_of(const std::string& run) {
  if (!is_run(run)) return std::nullopt;
  const std::string path = RunPaths(run).recipe_file();
  const Settings settings = io::read_settings(path);
  if (!is_of_pairs(settings)) return std::nullopt;
  return make_pair_recipe({{path, settings}});
}

std::string model_file_of(const std::string& run, const std::string& tower) {
  std::string file = run_model_file(run);
  if (is_run(run)) return tower_file(RunPaths(run), tower_of(tower));
  if (tower != "a") throw Misuse("--tower is for runs: expected a run of two towers, got a file");
  return file;
}

DatasetPtr open_tower_data(const PairRecipe& recipe, const std::string& tower, const DataOptions& options) {
  const PairedData data = open_pairs(recipe.data.source, recipe.data.with, options);
  return tower_of(tower) == Tower::a ? data.a : data.b;
}

Tower tower_of(const std::string& name) { return name == "b" ? Tower::b : Tower::a; }

}  // namespace orthant::cli
