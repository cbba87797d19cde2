#pragma once

#include <string>
#include <vector>
#include "cli/frame/app.h"
#include "cli/frame/command.h"

namespace orthant::cli {

// The commands that need LibTorch live in a program of their own, orthant-learn, so that all others start in
// milliseconds. Adds them by name and description; running one replaces this process by orthant-learn with the same
// arguments `argv`. Those whose names are in `others` are left to somebody else. IoError if that program is not there.
void add_learn_commands(App& app, char** argv, const std::vector<std::string>& others = {});

// add_command() for one of them, with its description, in orthant-learn itself.
App* add_learn_command(App& app, const std::string& name, Common& common);

// Where orthant-learn is: beside this program in a build, in libexec after an installation. IoError if it is not there.
std::string learn_program_path();

}  // namespace orthant::cli
