// Seconds that measures of features take, as one JSON line. measure.py drives it.
//
// measure_bench FEATURES.npy LABELS.npy THREADS RUNS
//   Median over runs of everything that features and labels allow, and of each measure alone. Reading is not timed.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/io/npy.h"
#include "orthant/measure/evaluation.h"

namespace {

using namespace orthant;

double median_seconds(int runs, const std::function<void()>& work) {
  std::vector<double> seconds;
  for (int run = 0; run < runs; ++run) {
    const auto start = std::chrono::steady_clock::now();
    work();
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::ranges::sort(seconds);
  return seconds[seconds.size() / 2];
}

void run(const std::vector<std::string>& arguments) {
  check(arguments.size() == 4, "usage: see the top of measure_bench.cpp");
  const Matrix features = io::read_npy_matrix(arguments[0]).to_owned();
  const std::vector<int64_t> labels = io::to_integers(io::read_npy(arguments[1]), arguments[1]);
  const int threads = std::stoi(arguments[2]);
  const int runs = std::max(std::stoi(arguments[3]), 1);
  const measure::EvaluationInput input{.name = arguments[0], .features = features, .labels = labels};
  const auto seconds = [&](const std::vector<std::string>& only) {
    return median_seconds(runs, [&] { measure::evaluate(input, {.only = only, .threads = threads}); });
  };
  std::printf("{\"all\": %.6f", seconds({}));
  for (const char* name : {"sparsity", "class_consistency", "correlation", "effective_rank", "knn_accuracy"}) {
    std::printf(", \"%s\": %.6f", name, seconds({name}));
  }
  std::printf("}\n");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run({argv + 1, argv + argc});
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "measure_bench: %s\n", error.what());
    return 1;
  }
}
