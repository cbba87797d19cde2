#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>
#include "cli/frame/app.h"

#include "cli/frame/command.h"
#include "cli/frame/field_flags.h"
#include "cli/frame/learn_program.h"
#include "cli/frame/processes.h"
#include "learn/train/loop.h"
#include "orthant/run/recipe.h"
#include "orthant/run/run_folder.h"

namespace orthant::cli {

// The commands of orthant-learn, each in the file of its name.
void add_pretrain(App& app);
void add_supervise(App& app);
void add_resume(App& app);
void add_embed(App& app);
void add_encode(App& app);
void add_probe(App& app);
void add_finetune(App& app);
void add_where(App& app);

// A flag that stands for a setting of a recipe.
struct ShortFlag {
  const char* flag;
  const char* key;
  const char* help = nullptr;  // instead of what the field says of itself
};

// What the fields of a recipe say of themselves, by key, with their choices and defaults.
template <class AnyRecipe>
std::map<std::string, std::string> setting_helps(const AnyRecipe& recipe) {
  std::map<std::string, std::string> texts;
  for_each_section(recipe, [&](const std::string& section, const auto& options) {
    for_each_field(options, [&](const Field& field, const auto& value) {
      std::string choices;
      for (const std::string& choice : field.limits.choices) choices += (choices.empty() ? ": " : ", ") + choice;
      const std::string preset = to_string(Setting(value));
      texts[section + "." + field.name] = field.help + choices + (preset.empty() ? "" : " (" + preset + ")");
    });
  });
  return texts;
}

// Adds the flags, whose values go to `sources`, which must live as long as the command.
template <class AnyRecipe>
void add_short_flags(App* command, const AnyRecipe& recipe, std::span<const ShortFlag> flags, SettingSources& sources) {
  const auto texts = setting_helps(recipe);
  for (const ShortFlag& entry : flags) {
    const std::string key = entry.key;
    const std::string flag = entry.flag;
    const auto store = [&sources, flag, key](const std::string& text) { sources.set_flag(flag, key, text); };
    const std::string help = entry.help != nullptr ? entry.help : texts.at(key);
    command->add_option_function(flag, store, help)->type_name("VALUE");
  }
}

// Adds --recipe, --set, --strict and a flag for each setting that is used every day (--epochs, --method, ...), or these
// `flags`, with the defaults of `recipe` in their help.
void add_training_flags(App* command, SettingSources& sources);
void add_training_flags(App* command, const Recipe& recipe, std::span<const ShortFlag> flags, SettingSources& sources);

// Adds a flag without a value that makes the setting `key` true.
void add_switch(App* command, const std::string& flag, const std::string& key, const std::string& help,
                SettingSources& sources);

// The layers that a person gave, in the order in which they win, with --threads and --seed if they were given; `known`
// are the keys of the recipe. There is at least one.
std::vector<SettingsLayer> setting_layers(const App* command, const SettingSources& sources, const Common& common,
                                          const std::vector<std::string>& known);

// std::invalid_argument that lists the differences to the settings a run began with, if there are any, unless forced.
void check_unchanged(const RunFolder& folder, const std::vector<std::string>& differences, bool force);

// What to do about a run that is there already.
constexpr const char* kRunExists = "'orthant resume' continues it, --overwrite replaces it";

// Does `work` in the group of processes that this one belongs to; the others are told what it throws.
using GroupWork = std::function<void(const Group& group, const World& world)>;
void in_group(const ProcessFlags& flags, const GroupWork& work);

// Does `work`, which trains in `folder`. Diverged leaves with what to do about it.
void with_advice(const RunPaths& folder, const std::function<void()>& work);

// Trains to the end with progress on stderr. On Ctrl-C or SIGTERM saves a checkpoint, says how to go on, and throws
// Interrupted. With `json` the last epoch's measures go to stdout as one document. Of several processes rank 0 alone
// speaks.
void run_session(Trainer& trainer, const Recipe& recipe, const RunPaths& folder, bool quiet, bool json);

// The same from the newest checkpoint of the folder on; says so, or that there is nothing left to do.
void resume_session(Trainer& trainer, const Recipe& recipe, const RunPaths& folder, bool quiet, bool json);

}  // namespace orthant::cli
