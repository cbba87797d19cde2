#include <filesystem>
#include <optional>

#include "cli/supervised.h"
#include "cli/towers/pairs.h"
#include "cli/training.h"
#include "learn/task/recipe_task.h"
#include "learn/tiles/bf16_ops.h"
#include "learn/train/agreement.h"
#include "orthant/core/error.h"
#include "orthant/io/atomic_file.h"
#include "orthant/io/safetensors.h"
#include "orthant/io/settings_file.h"
#include "orthant/towers/pair_recipe.h"

namespace orthant::cli {
namespace {

struct ResumeFlags {
  Common common;
  SettingSources settings;
  std::string run;
  bool force = false;
  bool json = false;
  ProcessFlags processes;
};

// What a run means that was begun before there were such settings.
SettingsLayer before_gates() { return {"an older run", {{"activation.sparsity", 0.0}, {"activation.floor", 0.0}}}; }

// The recipe of the run with what was given now; a change of course needs --force.
Recipe changed_recipe(const App* command, const ResumeFlags& flags, const RunFolder& folder) {
  std::vector<SettingsLayer> layers = {before_gates(), {folder.recipe_file(), io::read_settings(folder.recipe_file())}};
  const Recipe before = make_recipe(layers);
  for (SettingsLayer& layer : setting_layers(command, flags.settings, flags.common, recipe_keys())) {
    layers.push_back(std::move(layer));
  }
  Recipe after = make_recipe(layers);
  check_unchanged(folder, differences(before, after), flags.force);
  if (!(before == after)) io::write_file(folder.recipe_file(), recipe_text(after));
  return after;
}

// A model that `orthant select --apply` cut down has nothing to go on from.
void refuse_shortened(const RunFolder& folder) {
  if (!std::filesystem::is_empty(folder.checkpoint_folder()) || !std::filesystem::exists(folder.model_file())) return;
  const auto facts = io::SafeTensors::open(folder.model_file()).metadata();
  const auto found = facts.find("notes.shortened_from");
  check(found == facts.end(), "[", folder.path(), "] expected a run that was trained, got a model shortened from ",
        found == facts.end() ? "" : found->second, "; resume that run and shorten it again");
}

// What is not shared by several processes goes on with one.
bool resume_alone(const App* command, const ResumeFlags& flags, const RunFolder& folder, const Group& group) {
  const Settings settings = io::read_settings(folder.recipe_file());
  const bool alone = is_of_pairs(settings) || is_supervised(settings);
  check(!alone || group.alone(), "[", folder.path(), "] expected a run of one network to share, got ",
        is_of_pairs(settings) ? "two towers" : "a probe or a fine-tuning", ", which one process goes on with");
  if (is_of_pairs(settings)) {
    const auto given = setting_layers(command, flags.settings, flags.common, pair_keys());
    resume_pairs(folder, given, flags.force, flags.common, flags.json);
  }
  if (is_supervised(settings)) {
    const auto given = setting_layers(command, flags.settings, flags.common, supervised_keys());
    resume_supervised(folder, given, flags.force, flags.common.quiet, flags.json);
  }
  return alone;
}

// Rank 0 alone has the folder, and tells the others the recipe.
void run(const App* command, const ResumeFlags& flags, const Group& group) {
  std::optional<RunFolder> folder;
  bool done = false;
  const std::string text = group.told_by_first("reading the recipe", [&]() -> std::string {
    folder = RunFolder::open(flags.run);
    done = resume_alone(command, flags, *folder, group);
    if (done) return "";
    refuse_shortened(*folder);
    return recipe_text(changed_recipe(command, flags, *folder));
  });
  if (done) return;
  Recipe recipe = make_recipe({{flags.run, io::parse_settings(text, flags.run)}});
  ops::check_precision(recipe.train.precision);
  if (!group.alone() && command->count("--threads") == 0) recipe.train.threads = 0;  // those of each process now
  const TrainingData data = open_training_data(recipe);
  check_agreement(group, recipe, *data.train);
  const auto task = make_recipe_task(recipe, data, group);
  Trainer trainer(*task, recipe.optimiser, recipe.train.threads);
  resume_session(trainer, recipe, RunPaths(flags.run), flags.common.quiet, flags.json);
}

}  // namespace

void add_resume(App& app) {
  auto flags = std::make_shared<ResumeFlags>();
  App* command = add_learn_command(app, "resume", flags->common);
  command->add_option("run", flags->run, "Folder of the run")->required()->type_name("RUN");
  command->add_flag("--force", flags->force, "Continue although settings given now change the course of the run");
  command->add_flag("--json", flags->json, "Print the last measures as one JSON document");
  add_training_flags(command, flags->settings);
  add_process_flags(command, flags->processes);
  command->callback([command, flags] {
    in_group(flags->processes, [&](const Group& group, const World&) { run(command, *flags, group); });
  });
}

}  // namespace orthant::cli
