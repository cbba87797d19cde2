#pragma once

#include <string>
#include "cli/app.h"

namespace orthant::cli {

// The commands that need LibTorch live in a program of their own, orthant-learn, so that all others start in
// milliseconds. Adds them by name and description; running one replaces this process by orthant-learn with the same
// arguments `argv`. IoError if that program is not there.
void add_learn_commands(App& app, char** argv);

// Where orthant-learn is: beside this program in a build, in libexec after an installation. IoError if it is not there.
std::string learn_program_path();

}  // namespace orthant::cli
