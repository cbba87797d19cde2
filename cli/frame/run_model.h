#pragma once

#include <string>

namespace orthant::cli {

// The file of weights that a user means by `path`: that of a run, or the file itself. IoError that says what to do if
// there is none, as in a run that was stopped within its first epoch.
std::string run_model_file(const std::string& path);

}  // namespace orthant::cli
