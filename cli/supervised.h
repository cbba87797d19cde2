#pragma once

#include <string>

#include "learn/train/supervised_run.h"

namespace orthant::cli {

// Works to the end with progress on stderr and prints the result: a table, or one JSON document. On Ctrl-C or SIGTERM
// saves a checkpoint, says how to go on, and throws Interrupted.
void run_supervised_session(const SupervisedRecipe& recipe, const RunFolder& folder, bool quiet, bool json);

// What `orthant resume` does with such a run. `given` are the settings of now; a change of course needs `force`.
void resume_supervised(const RunFolder& folder, const std::vector<SettingsLayer>& given, bool force, bool quiet,
                       bool json);

}  // namespace orthant::cli
