#include "cli/towers/pairs.h"
#include "learn/task/pair_task.h"
#include "orthant/io/atomic_file.h"
#include "orthant/io/settings_file.h"

namespace orthant::cli {

void resume_pairs(const RunFolder& folder, const std::vector<SettingsLayer>& given, bool force, const Common& common,
                  bool json) {
  std::vector<SettingsLayer> layers = {{folder.recipe_file(), io::read_settings(folder.recipe_file())}};
  const PairRecipe before = make_pair_recipe(layers);
  layers.insert(layers.end(), given.begin(), given.end());
  const PairRecipe after = make_pair_recipe(layers);
  check_unchanged(folder, pair_differences(before, after), force);
  if (!(before == after)) io::write_file(folder.recipe_file(), pair_text(after));
  PairTask task(after, open_paired_parts(after));
  Trainer trainer(task, after.optimiser, after.train.threads);
  resume_session(trainer, tower_recipe(after, Tower::a), folder, common.quiet, json);
}

}  // namespace orthant::cli
