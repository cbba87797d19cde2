#pragma once

#include <cstdint>
#include <string>
#include <vector>
#include "cli/app.h"

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

// One function per command, each in the file of its name.
void add_data(App& app);
void add_doctor(App& app);
void add_explore(App& app);
void add_factorize(App& app);
void add_info(App& app);
void add_measure(App& app);
void add_report(App& app);
void add_select(App& app);
void add_sheet(App& app);
void add_theory(App& app);

}  // namespace orthant::cli
