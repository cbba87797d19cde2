#include <map>
#include <memory>

#include "cli/adapt/adapting.h"
#include "cli/frame/field_flags.h"
#include "orthant/adapt/adapter.h"
#include "orthant/core/error.h"
#include "orthant/io/atomic_file.h"
#include "orthant/io/safetensors.h"
#include "orthant/io/settings_file.h"

namespace orthant::cli {
namespace {

struct ResumeFlags {
  Common common;
  SettingSources settings;
  std::string run;
  bool force = false;
  bool json = false;
};

// A model that `orthant select --apply` cut down has nothing to go on from.
void refuse_shortened(const RunFolder& folder) {
  std::map<std::string, std::string> notes;
  try {
    notes = io::SafeTensors::open(folder.model_file()).metadata();
  } catch (const IoError&) {
    return;  // none, or damaged: a checkpoint is enough, and makes it anew
  }
  const auto found = notes.find("notes.shortened_from");
  check(found == notes.end(), "[", folder.path(), "] expected a run that was learned, got a model shortened from ",
        found == notes.end() ? "" : found->second, "; resume that run and shorten it again");
}

void run(const App* command, const ResumeFlags& flags) {
  const RunFolder folder = RunFolder::open(flags.run);
  refuse_shortened(folder);
  std::vector<SettingsLayer> layers = {{folder.recipe_file(), io::read_settings(folder.recipe_file())}};
  const adapt::AdaptRecipe before = adapt::make_adapt_recipe(layers);
  flags.settings.apply(adapt::adapt_keys(), [&](const Settings& settings, const std::string& source) {
    layers.push_back({source, settings});
  });
  if (command->count("--threads") > 0) layers.back().settings["train.threads"] = int64_t{flags.common.threads};
  adapt::AdaptRecipe recipe = adapt::make_adapt_recipe(layers);
  std::string changes;
  for (const std::string& line : adapt::adapt_differences(before, recipe)) {
    changes += (changes.empty() ? "" : ", ") + line;
  }
  check(changes.empty() || flags.force, "[", folder.path(), "] expected the settings the run began with, got ", changes,
        "; --force continues with the change");
  if (!(before == recipe)) io::write_file(folder.recipe_file(), adapt::adapt_text(recipe));
  const adapt::Material material = open_told(recipe, {.quiet = true});
  run_adapting(recipe, material, folder, true, flags.common.quiet, flags.json);
}

}  // namespace

void add_adapted_resume(App& app) {
  auto flags = std::make_shared<ResumeFlags>();
  App* command = add_command(app, "resume", "Continue an adaptation where it stopped, bit for bit", flags->common);
  command->add_option("run", flags->run, "Folder of the run")->required()->type_name("RUN");
  command->add_flag("--force", flags->force, "Continue although settings given now change the course of the run");
  command->add_flag("--json", flags->json, "Print what codes keep as one JSON document");
  add_setting_flags(command, flags->settings);
  command->callback([command, flags] { run(command, *flags); });
}

}  // namespace orthant::cli
