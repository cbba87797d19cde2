#include "orthant/decompose/centre.h"

#include <algorithm>
#include <cmath>

#include "orthant/core/error.h"
#include "orthant/core/threads.h"

namespace orthant::decompose {
namespace {

constexpr int64_t kBlocks = 64;        // fixed: sums are the same for every number of threads
constexpr double kNothingLeft = 1e-6;  // of a row of length one: rounding of float32

}  // namespace

std::vector<double> mean_direction(const Features& vectors, const std::string& name, int threads) {
  const int64_t rows = vectors.rows();
  const auto cols = static_cast<size_t>(vectors.cols());
  check(rows > 0 && cols > 0, "[", name, "] expected vectors, got ", rows, " x ", vectors.cols());
  check_finite(vectors, name);
  const int64_t grain = (rows + kBlocks - 1) / kBlocks;
  std::vector<std::vector<double>> parts(static_cast<size_t>((rows - 1) / grain + 1), std::vector<double>(cols));
  parallel_for(rows, grain, threads, [&](int64_t begin, int64_t end) {
    std::vector<double>& part = parts[static_cast<size_t>(begin / grain)];
    for (int64_t i = begin; i < end; ++i) {
      const double length = vectors.row_norm(i);
      check(length > 0, "[", name, "] expected vectors with a direction, got zeros in row ", i);
      vectors.visit_row(i, [&](int64_t j, float x) { part[static_cast<size_t>(j)] += x / length; });
    }
  });
  std::vector<double> mean(cols);
  for (const auto& part : parts) std::ranges::transform(mean, part, mean.begin(), std::plus<>());
  for (double& x : mean) x /= static_cast<double>(rows);
  return mean;
}

bool centred_row(const Features& vectors, int64_t row, std::span<const double> centre, std::span<float> out) {
  std::ranges::fill(out, 0.0F);
  const double length = vectors.row_norm(row);
  vectors.visit_row(row, [&](int64_t j, float x) { out[static_cast<size_t>(j)] = static_cast<float>(x / length); });
  double squares = 0;
  for (size_t j = 0; j < out.size(); ++j) {
    const double x = out[j] - (centre.empty() ? 0.0 : centre[j]);
    squares += x * x;
    out[j] = static_cast<float>(x);
  }
  const double left = std::sqrt(squares);
  if (left < kNothingLeft) {
    std::ranges::fill(out, 0.0F);
    return false;
  }
  for (float& x : out) x = static_cast<float>(x / left);
  return true;
}

}  // namespace orthant::decompose
