#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/frame/app.h"
#include "orthant/launch/world.h"

namespace orthant::cli {

// What a command understands that several processes can share.
struct ProcessFlags {
  int64_t processes = 1;
  int64_t restarts = 0;
  double timeout = 18;  // seconds; naming who is missing and ending all takes eleven more at most
};

// Adds --processes, --restarts and --timeout.
void add_process_flags(App* command, ProcessFlags& flags);

// Bytes per second of "10Gbit", "100Mbit" or "1.5GB", each per second. Misuse that names the flag for anything else.
double parse_bandwidth(const std::string& flag, const std::string& text);

// In orthant, before it becomes orthant-learn: if the words `argv` ask for several processes of `program`, runs them to
// their end with every line they write prefixed by their rank, and returns the exit code. Nothing if they do not, or
// ask for help or a dry run. Misuse under another launcher (mpirun, srun, torchrun).
std::optional<int> launch_if_asked(const std::string& program, char** argv);

// In orthant-learn: where this process stands. Misuse if the flags ask for processes that nobody started.
World enter_world(const ProcessFlags& flags);

}  // namespace orthant::cli
