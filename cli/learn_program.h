#pragma once

#include <CLI/CLI.hpp>

namespace orthant::cli {

// The commands that need LibTorch live in a program of their own, orthant-learn, so that all others start in
// milliseconds. Adds them by name and description; running one replaces this process by orthant-learn with the same
// arguments `argv`. IoError if that program is not there.
void add_learn_commands(CLI::App& app, char** argv);

}  // namespace orthant::cli
