#include "cli/frame/learn_program.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>

#include "cli/frame/processes.h"
#include "cli/frame/program.h"
#include "orthant/core/error.h"
#include "orthant/io/file_descriptor.h"

namespace orthant::cli {
namespace {

namespace fs = std::filesystem;

struct LearnCommand {
  const char* name;
  const char* description;
  bool shared = false;  // by several processes, with the flags of cli/frame/processes.h
};

// For both programs.
constexpr std::array kCommands = {
    LearnCommand{"pretrain", "Train an encoder, contrastive or non-negative contrastive", true},
    LearnCommand{"supervise", "Train an encoder with a classifier from labels, by cross entropy, non-negative or not",
                 true},
    LearnCommand{"resume", "Continue a run, a probe or a fine-tuning where it stopped, bit for bit", true},
    LearnCommand{"embed", "Apply a trained encoder to a data set", true},
    LearnCommand{"probe", "Learn a linear classifier on a frozen encoder and test it"},
    LearnCommand{"finetune", "Train a whole encoder with a linear classifier on its backbone, and test it"},
    LearnCommand{"where", "Show where in pictures or sounds features fire, or what makes two similar"},
};

[[noreturn]] void become_learn_program(char** argv, bool shared) {
  const std::string path = learn_program_path();
  if (const auto code = shared ? launch_if_asked(path, argv) : std::nullopt) throw Ended{*code};
  ::execv(path.c_str(), argv);
  fail_io("[", path, "] expected to start, got: ", io::error_text(errno));
}

}  // namespace

std::string learn_program_path() {
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  for (const fs::path& path : {here / "orthant-learn", here / "../libexec/orthant/orthant-learn"}) {
    if (::access(path.c_str(), X_OK) == 0) return path.string();
  }
  fail_io("[orthant-learn] expected it beside this program or in ../libexec/orthant, got nothing there; ",
          "this build cannot train: install LibTorch (Debian: libtorch-dev) and build again");
}

void add_learn_commands(App& app, char** argv, const std::vector<std::string>& others) {
  for (const LearnCommand& command : kCommands) {
    if (std::ranges::find(others, command.name) != others.end()) continue;
    App* stub = app.add_subcommand(command.name, command.description);
    stub->pass_everything_on();
    stub->callback([argv, shared = command.shared] { become_learn_program(argv, shared); });
  }
}

App* add_learn_command(App& app, const std::string& name, Common& common) {
  const auto found = std::ranges::find(kCommands, name, &LearnCommand::name);
  check(found != kCommands.end(), "[", name, "] expected a command of the list");
  return add_command(app, name, found->description, common);
}

}  // namespace orthant::cli
