#pragma once

#include <string>
#include <vector>

#include "cli/training.h"
#include "orthant/run/run_folder.h"
#include "orthant/run/sections.h"

namespace orthant::cli {

// What `orthant pretrain` was told besides the settings.
struct PairSession {
  std::string output;
  double budget = 0;  // seconds; 0: none
  bool overwrite = false;
  bool dry_run = false;
  bool json = false;
};

// Adds --pairs, --with and what else two towers have.
void add_pair_flags(App* command, SettingSources& sources);

// Whether a flag, --set or the recipe names two data sets. Misuse for flags that do not go together.
bool names_pairs(const App* command, const SettingSources& sources);

// Pretrains two towers. Throws as `orthant pretrain` does.
void pretrain_pairs(const App* command, const SettingSources& sources, const Common& common,
                    const PairSession& session);

// Goes on with a run of two towers, with the settings that were given now.
void resume_pairs(const RunFolder& folder, const std::vector<SettingsLayer>& given, bool force, const Common& common,
                  bool json);

}  // namespace orthant::cli
