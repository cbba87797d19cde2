#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

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
//   CLI::App* command = add_command(app, "name", "What it does", flags->common);
//   command->add_option(...);
//   command->callback([flags] { run(*flags); });
//
// Exceptions that leave a callback are told as one line by main().
CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& description, Common& common);

// Checks of a flag's value that leave the help readable.
CLI::Validator between(int64_t min, int64_t max);
CLI::Validator one_of(const std::vector<std::string>& choices);

// Throws std::invalid_argument if something exists at `path` and `overwrite` is false.
void refuse_existing(const std::string& path, bool overwrite);

// One function per command, each in the file of its name.
void add_data(CLI::App& app);
void add_doctor(CLI::App& app);
void add_explore(CLI::App& app);
void add_factorize(CLI::App& app);
void add_info(CLI::App& app);
void add_measure(CLI::App& app);
void add_report(CLI::App& app);
void add_select(CLI::App& app);
void add_sheet(CLI::App& app);
void add_theory(CLI::App& app);

}  // namespace orthant::cli
