#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/field_flags.h"
#include "learn/train/session.h"

namespace orthant::cli {

// The commands of orthant-learn, each in the file of its name.
void add_pretrain(CLI::App& app);
void add_resume(CLI::App& app);
void add_embed(CLI::App& app);

// Adds --recipe, --set and a flag for each setting that is used every day (--epochs, --method, ...).
void add_training_flags(CLI::App* command, SettingSources& sources);

// The layers that a person gave, in the order in which they win, with --threads and --seed if they were given.
std::vector<SettingsLayer> setting_layers(const CLI::App* command, const SettingSources& sources, const Common& common);

// Trains to the end with progress on stderr. On Ctrl-C or SIGTERM saves a checkpoint, says how to go on, and throws
// Interrupted. With `json` the last epoch's measures go to stdout as one document.
void run_session(Trainer& trainer, const TrainingData& data, const RunFolder& folder, bool quiet, bool json);

}  // namespace orthant::cli
