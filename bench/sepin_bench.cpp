// Times of SEPIN and stability, as one JSON line. sepin.py drives it.
//
// sepin_bench sepin FIRST.npy SECOND.npy THREADS RENORMALISE(0|1)
//   SEPIN of all features of two views, every pair a negative of every other. Reading the files is not timed.
// sepin_bench stability FIRST.npy SECOND.npy THREADS
//   The matching of the features of two models.

#include <chrono>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/io/npy.h"
#include "orthant/measure/sepin.h"
#include "orthant/measure/stability.h"

namespace {

template <class Work>
double seconds_of(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main(int argc, char** argv) {
  using namespace orthant;
  try {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    const bool separability = argc == 6 && arguments[0] == "sepin";
    check(separability || (argc == 5 && arguments[0] == "stability"), "usage: see the top of sepin_bench.cpp");
    const Matrix first = io::to_matrix(io::read_npy(arguments[1]), arguments[1]);
    const Matrix second = io::to_matrix(io::read_npy(arguments[2]), arguments[2]);
    const int threads = std::stoi(arguments[3]);
    if (separability) {
      measure::Sepin result;
      const double seconds = seconds_of(
          [&] { result = measure::sepin(first, second, {.renormalise = arguments[4] == "1", .threads = threads}); });
      std::printf("{\"seconds\": %.4f, \"loss\": %.9f, \"first\": %.9f, \"all\": %.9f}\n", seconds, result.loss,
                  result.values[0], result.all.mean);
    } else {
      measure::Stability result;
      const double seconds = seconds_of([&] { result = measure::stability(first, second, {.threads = threads}); });
      std::printf("{\"seconds\": %.4f, \"mean\": %.9f}\n", seconds, result.mean);
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "sepin_bench: %s\n", error.what());
    return 1;
  }
}
