// Times of the factorisations, as one JSON line. nmf.py drives it.
//
// nmf_bench solve MATRIX.npz RANK random|nndsvd THREADS ERROR SEED
//   nmf_hals on a SciPy sparse matrix until ||A - W H^T||_F (scikit-learn's reconstruction_err_) is at most ERROR.
//   Reading the file is not timed, everything else is.
// nmf_bench scale SOLVER EDGES THREADS
//   Seconds per iteration of a symmetric solver on a random graph with ten edges per node at rank 16: the median
//   of eleven iterations after the first.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/core/rng.h"
#include "orthant/factorize/cooccurrence.h"
#include "orthant/factorize/factorize.h"
#include "orthant/factorize/rectangular_nmf.h"
#include "orthant/io/sparse_npz.h"

namespace {

using namespace orthant::factorize;

template <class Work>
double seconds_of(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void solve(const std::vector<std::string>& arguments) {
  const Target target(orthant::io::read_sparse_npz(arguments[0]));
  const double goal = std::stod(arguments[4]);
  double reached = INFINITY;
  const SolverOptions options{
      .rank = std::stoll(arguments[1]),
      .max_iterations = 10'000,
      .tolerance = 1e-9,
      .init = arguments[2] == "nndsvd" ? Init::nndsvd : Init::random,
      .seed = std::stoull(arguments[5]),
      .threads = std::stoi(arguments[3]),
      .progress =
          [&](const SolverStep& step) {
            reached = std::sqrt(step.loss);
            return reached > goal;
          },
  };
  int64_t iterations = 0;
  const double seconds = seconds_of([&] { iterations = nmf_hals(target, options).iterations; });
  std::printf("{\"seconds\": %.6f, \"iterations\": %lld, \"error\": %.9g}\n", seconds,
              static_cast<long long>(iterations), reached);
}

Target random_graph(int64_t edges) {
  const int64_t nodes = edges / 10;
  orthant::Rng rng(0);
  std::vector<int32_t> from;
  std::vector<int32_t> to;
  for (int64_t e = 0; e < edges; ++e) {
    from.push_back(static_cast<int32_t>(rng.below(static_cast<uint64_t>(nodes))));
    to.push_back(static_cast<int32_t>(rng.below(static_cast<uint64_t>(nodes))));
  }
  return normalized(cooccurrence(nodes, from, to, std::vector<double>(from.size(), 1.0)));
}

void scale(const std::vector<std::string>& arguments) {
  const Target target = random_graph(std::stoll(arguments[1]));
  std::vector<double> seconds;
  auto last = std::chrono::steady_clock::now();
  const auto note = [&](const SolverStep&) {
    const auto now = std::chrono::steady_clock::now();
    seconds.push_back(std::chrono::duration<double>(now - last).count());
    last = now;
    return true;
  };
  orthant::factorize::factorize(
      target, arguments[0],
      {.max_iterations = 12, .tolerance = 0, .threads = std::stoi(arguments[2]), .progress = note});
  orthant::check(seconds.size() > 1, "expected several iterations, got ", seconds.size());
  std::ranges::sort(seconds.begin() + 1, seconds.end());
  std::printf("{\"seconds\": %.6f}\n", seconds[1 + seconds.size() / 2]);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (argc == 8 && arguments[0] == "solve") {
      solve({arguments.begin() + 1, arguments.end()});
    } else {
      orthant::check(argc == 5 && arguments[0] == "scale", "usage: see the top of nmf_bench.cpp");
      scale({arguments.begin() + 1, arguments.end()});
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "nmf_bench: %s\n", error.what());
    return 1;
  }
}
