#pragma once

#include <cstdint>
#include <string>
#include <vector>
#include "cli/frame/app.h"

namespace orthant::cli {

// What every command understands.
struct Common {
  int threads = 0;
  uint64_t seed = 0;
  bool quiet = false;
};

// Adds a sub-command with --threads, --seed and --quiet. The command's own flags and callback follow at the caller:
//
//   auto flags = std::make_shared<Flags>();
//   App* command = add_command(app, "name", "What it does", flags->common);
//   command->add_option(...);
//   command->callback([flags] { run(*flags); });
//
// Exceptions that leave a callback are told as one line by main().
App* add_command(App& app, const std::string& name, const std::string& description, Common& common);

// Throws std::invalid_argument if something exists at `path` and `overwrite` is false.
void refuse_existing(const std::string& path, bool overwrite);

// Throws std::invalid_argument, with what to do about it, if `path` is the folder of a run and `overwrite` is false.
void refuse_run(const std::string& path, bool overwrite, const std::string& advice);

}  // namespace orthant::cli
