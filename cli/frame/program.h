#pragma once

#include <functional>

#include "cli/frame/app.h"

namespace orthant::cli {

// Thrown where all has been said already: the program ends with this code.
struct Ended {
  int code;
};

// The frame of a program: parses the command line with the commands that `add_commands` adds, runs the one that was
// named, and turns whatever leaves it into one line on stderr and an exit code: 0 done, 1 failed, 2 misused,
// 128 + signal interrupted.
int run_program(int argc, char** argv, const std::function<void(App&)>& add_commands);

}  // namespace orthant::cli
