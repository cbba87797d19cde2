#pragma once

#include <string>
#include <vector>

namespace orthant::test {

// What a finished program left behind.
struct Finished {
  int code = 0;        // exit code; 128 + signal if one ended it
  std::string output;  // stdout
  std::string errors;  // stderr
};

struct ProgramLimits {
  long file_bytes = -1;     // the largest file it may write, as a stand-in for a full disk; -1: any
  long memory_bytes = -1;   // of address space; -1: any
  std::string output = {};  // where stdout goes, such as /dev/full; empty: into Finished
};

// Runs the built orthant with these arguments and waits for it, at most two minutes. Nothing goes through a shell.
Finished run_orthant(const std::vector<std::string>& arguments, const ProgramLimits& limits = {});

}  // namespace orthant::test
