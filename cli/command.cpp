#include "cli/command.h"

#include <filesystem>

#include "orthant/core/error.h"

namespace orthant::cli {

CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& description, Common& common) {
  CLI::App* command = app.add_subcommand(name, description);
  command->add_option("--threads", common.threads, "Threads to use; 0: all that the machine offers")
      ->check(between(0, 4096))
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--seed", common.seed, "Seed of every random choice")->type_name("N")->capture_default_str();
  command->add_flag("-q,--quiet", common.quiet, "No progress, only results and errors");
  return command;
}

CLI::Validator between(int64_t min, int64_t max) { return CLI::Range(min, max).description(""); }

CLI::Validator one_of(const std::vector<std::string>& choices) { return CLI::IsMember(choices).description(""); }

void refuse_existing(const std::string& path, bool overwrite) {
  check(overwrite || !std::filesystem::exists(path), "[", path,
        "] expected a new file, got one that exists; --overwrite replaces it");
}

}  // namespace orthant::cli
