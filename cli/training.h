#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>
#include "cli/frame/app.h"

#include "cli/frame/command.h"
#include "cli/frame/field_flags.h"
#include "cli/frame/learn_program.h"
#include "cli/frame/processes.h"
#include "cli/frame/short_flags.h"
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
