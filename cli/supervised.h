#pragma once

#include <string>
#include "cli/app.h"

#include "cli/command.h"
#include "cli/field_flags.h"
#include "learn/train/supervised_run.h"

namespace orthant::cli {

// `orthant probe` and `orthant finetune` differ in their task and a few flags.
struct SupervisedFlags {
  Common common;
  SettingSources settings;
  std::string run;
  std::string output;
  std::string corrupt;
  bool overwrite = false;
  bool json = false;
};

// Adds what both commands take, and the callback that does the work of `task`.
App* add_supervised(App& app, const std::string& task, const std::string& description,
                    const std::shared_ptr<SupervisedFlags>& flags);

// Works to the end with progress on stderr and prints the result: a table, or one JSON document. On Ctrl-C or SIGTERM
// saves a checkpoint, says how to go on, and throws Interrupted.
void run_supervised_session(const SupervisedRecipe& recipe, const RunFolder& folder, bool quiet, bool json);

// What `orthant resume` does with such a run. `given` are the settings of now; a change of course needs `force`.
void resume_supervised(const RunFolder& folder, const std::vector<SettingsLayer>& given, bool force, bool quiet,
                       bool json);

}  // namespace orthant::cli
