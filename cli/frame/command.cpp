#include "cli/frame/command.h"

#include <filesystem>

#include "orthant/core/error.h"
#include "orthant/run/run_paths.h"

namespace orthant::cli {

App* add_command(App& app, const std::string& name, const std::string& description, Common& common) {
  App* command = app.add_subcommand(name, description);
  command->add_option("--threads", common.threads, "Threads to use; 0: all that the machine offers")
      ->check(between(0, 4096))
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--seed", common.seed, "Seed of every random choice")->type_name("N")->capture_default_str();
  command->add_flag("-q,--quiet", common.quiet, "No progress, only results and errors");
  return command;
}

void refuse_existing(const std::string& path, bool overwrite) {
  check(overwrite || !std::filesystem::exists(path), "[", path,
        "] expected a new file, got one that exists; --overwrite replaces it");
}

void refuse_run(const std::string& path, bool overwrite, const std::string& advice) {
  check(overwrite || !is_run(path), "[", path, "] expected a new run, got one that exists; ", advice);
}

}  // namespace orthant::cli
