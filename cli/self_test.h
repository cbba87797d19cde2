#pragma once

#include <string>
#include <vector>

namespace orthant::cli {

struct SelfTestResult {
  std::string name;
  bool passed = false;
  std::string detail;  // what went wrong, or what was compared
};

// Checks in about a second that this machine computes what it should: random numbers against published answers, files
// written and read back, views on one thread against many, matrix products against a plain loop.
std::vector<SelfTestResult> self_test(int threads);

}  // namespace orthant::cli
