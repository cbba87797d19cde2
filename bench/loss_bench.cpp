// Forward and backward of a loss on random rows, two views per image:
//   loss_bench LOSS ROWS DIMS THREADS REPEATS
// prints the median seconds, the megabytes that a run needs beyond its input, and the process's peak in megabytes.
// bench/loss.py compares with the dense expression in PyTorch.

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <string>
#include <vector>

#include "learn/loss/loss.h"

namespace {

// A field of /proc/self/status in megabytes: VmRSS now, VmHWM the highest since forget_peak().
double memory(const std::string& field) {
  std::ifstream in("/proc/self/status");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(field + ":")) return std::atof(line.c_str() + field.size() + 1) / 1024;
  }
  return 0;
}

void forget_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }

double seconds_of_run(const at::Tensor& z, const orthant::LossOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  z.mutable_grad() = at::Tensor();
  orthant::contrastive_loss(z, 2, options).loss.backward();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    std::fprintf(stderr, "usage: loss_bench LOSS ROWS DIMS THREADS REPEATS\n");
    return 2;
  }
  try {
    const orthant::LossOptions options{.name = argv[1]};
    at::set_num_threads(std::atoi(argv[4]));
    at::manual_seed(1);
    seconds_of_run(at::randn({64, 16}).requires_grad_(true), options);
    const at::Tensor z = at::randn({std::atoll(argv[2]), std::atoll(argv[3])}).requires_grad_(true);
    forget_peak();
    const double before = memory("VmRSS");
    std::vector<double> seconds;
    for (int repeat = 0; repeat < std::atoi(argv[5]); ++repeat) seconds.push_back(seconds_of_run(z, options));
    std::ranges::sort(seconds);
    const double peak = memory("VmHWM");
    std::printf("%.6f %.1f %.1f\n", seconds.at(seconds.size() / 2), peak - before, peak);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "loss_bench: %s\n", error.what());
    return 1;
  }
  return 0;
}
