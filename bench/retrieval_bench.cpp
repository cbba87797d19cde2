// Exact search of random features, a share of which is zero, timed:
//   retrieval_bench search ROWS DIMS ZEROS QUERIES K THREADS REPEATS    by inner product; seconds and megabytes
//   retrieval_bench sparse ROWS DIMS ZEROS QUERIES K THREADS REPEATS    the same from a sparse matrix
//   retrieval_bench official ROWS DIMS STEP THREADS REPEATS             the official retrieval curve
// prints the median seconds and the process's peak in megabytes. bench/retrieval.py compares with faiss and with the
// official selection loop.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "orthant/core/rng.h"
#include "orthant/measure/official_retrieval.h"
#include "orthant/search/neighbours.h"

namespace {

using orthant::Features;
using orthant::Matrix;
using orthant::SparseMatrix;
namespace search = orthant::search;

// Entries from 0.05 to 1, each zero with the given probability.
Matrix random_features(int64_t rows, int64_t cols, double zeros) {
  Matrix features(rows, cols);
  for (int64_t i = 0; i < rows; ++i) {
    orthant::Rng rng({.seed = 1, .sample = static_cast<uint64_t>(i)});
    for (float& x : features.mutable_row(i)) {
      const bool zero = rng.bernoulli(zeros);
      x = zero ? 0 : static_cast<float>(rng.uniform(0.05, 1));
    }
  }
  return features;
}

// Row by row, so that the dense matrix never exists.
SparseMatrix random_sparse(int64_t rows, int64_t cols, double zeros) {
  std::vector<int64_t> offsets = {0};
  std::vector<int32_t> columns;
  std::vector<float> values;
  for (int64_t i = 0; i < rows; ++i) {
    orthant::Rng rng({.seed = 1, .sample = static_cast<uint64_t>(i)});
    for (int64_t j = 0; j < cols; ++j) {
      if (rng.bernoulli(zeros)) continue;
      columns.push_back(static_cast<int32_t>(j));
      values.push_back(static_cast<float>(rng.uniform(0.05, 1)));
    }
    offsets.push_back(static_cast<int64_t>(columns.size()));
  }
  return {rows, cols, std::move(offsets), std::move(columns), std::move(values)};
}

SparseMatrix first_rows(const SparseMatrix& all, int64_t count) {
  const auto entries = all.indptr()[static_cast<size_t>(count)];
  return {count,
          all.cols(),
          {all.indptr().begin(), all.indptr().begin() + count + 1},
          {all.indices().begin(), all.indices().begin() + entries},
          {all.values().begin(), all.values().begin() + entries}};
}

double median_seconds(int repeats, const std::function<void()>& run) {
  std::vector<double> seconds;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const auto start = std::chrono::steady_clock::now();
    run();
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::ranges::sort(seconds);
  return seconds.at(seconds.size() / 2);
}

double peak_megabytes() {
  std::ifstream in("/proc/self/status");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("VmHWM:")) return std::atof(line.c_str() + 6) / 1024;
  }
  return 0;
}

double search_seconds(char** arguments, bool sparse) {
  const int64_t rows = std::atoll(arguments[0]);
  const int64_t cols = std::atoll(arguments[1]);
  const double zeros = std::atof(arguments[2]);
  const int64_t queries = std::min<int64_t>(std::atoll(arguments[3]), rows);
  const search::NeighbourOptions options{
      .k = std::atoll(arguments[4]), .metric = search::Metric::inner_product, .threads = std::atoi(arguments[5])};
  const int repeats = std::atoi(arguments[6]);
  if (sparse) {
    const SparseMatrix bank = random_sparse(rows, cols, zeros);
    const SparseMatrix asked = queries < rows ? first_rows(bank, queries) : SparseMatrix();
    const Features some(queries < rows ? asked : bank);
    return median_seconds(repeats, [&] { search::neighbours(bank, some, options); });
  }
  const Matrix bank = random_features(rows, cols, zeros);
  const Matrix asked = Matrix::borrow(bank.data(), queries, cols, nullptr);
  const Features some(queries < rows ? asked : bank);
  return median_seconds(repeats, [&] { search::neighbours(bank, some, options); });
}

double official(char** arguments) {
  const Matrix features = random_features(std::atoll(arguments[0]), std::atoll(arguments[1]), 0.9);
  std::vector<int64_t> labels(static_cast<size_t>(features.rows()));
  for (size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<int64_t>(i % 10);
  const orthant::measure::OfficialRetrievalOptions options{.step = std::atoll(arguments[2]),
                                                           .threads = std::atoi(arguments[3])};
  return median_seconds(std::atoi(arguments[4]),
                        [&] { orthant::measure::official_retrieval(features, labels, options); });
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (!((what == "search" || what == "sparse") && argc == 9) && !(what == "official" && argc == 7)) {
    std::fprintf(stderr,
                 "usage: retrieval_bench search|sparse ROWS DIMS ZEROS QUERIES K THREADS REPEATS\n"
                 "       retrieval_bench official ROWS DIMS STEP THREADS REPEATS\n");
    return 2;
  }
  try {
    const double seconds = what == "official" ? official(argv + 2) : search_seconds(argv + 2, what == "sparse");
    std::printf("%.6f %.1f\n", seconds, peak_megabytes());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "retrieval_bench: %s\n", error.what());
    return 1;
  }
  return 0;
}
