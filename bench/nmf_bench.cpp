// Time to a given reconstruction error of nmf_hals on a SciPy sparse matrix, as one JSON line.
//
// Usage: nmf_bench MATRIX.npz RANK random|nndsvd THREADS ERROR
//
// ERROR is ||A - W H^T||_F, as scikit-learn's reconstruction_err_; reading the file is not timed, everything else is.

#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>

#include "orthant/core/error.h"
#include "orthant/io/sparse_npz.h"
#include "orthant/theory/rectangular_nmf.h"
#include "orthant/theory/target.h"

namespace {

void run(const char* const* arguments) {
  using Clock = std::chrono::steady_clock;
  const orthant::theory::Target target(orthant::io::read_sparse_npz(arguments[0]));
  const std::string init = arguments[2];
  orthant::check(init == "random" || init == "nndsvd", "[nmf_bench] expected init random or nndsvd, got ", init);
  const double error = std::stod(arguments[4]);
  orthant::theory::SolverOptions options{
      .rank = std::stoll(arguments[1]),
      .max_iterations = 10'000,
      .tolerance = 0,
      .init = init == "random" ? orthant::theory::Init::random : orthant::theory::Init::nndsvd,
      .threads = std::stoi(arguments[3]),
  };
  double reached = INFINITY;
  options.progress = [&](const orthant::theory::SolverStep& step) {
    reached = std::sqrt(step.loss);
    return reached > error;
  };
  const auto start = Clock::now();
  const auto result = orthant::theory::nmf_hals(target, options);
  const std::chrono::duration<double> seconds = Clock::now() - start;
  std::printf("{\"seconds\": %.6f, \"iterations\": %lld, \"error\": %.9g}\n", seconds.count(),
              static_cast<long long>(result.iterations), reached);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    orthant::check(argc == 6, "usage: nmf_bench MATRIX.npz RANK random|nndsvd THREADS ERROR");
    run(argv + 1);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "nmf_bench: %s\n", error.what());
    return 1;
  }
}
