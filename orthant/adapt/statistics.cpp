#include "orthant/adapt/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "orthant/core/error.h"
#include "orthant/core/threads.h"

namespace orthant::adapt {
namespace {

struct Part {
  std::vector<double> sum;
  double squares = 0;
  int64_t zeros = 0;
  int64_t broken = 0;
  int64_t first_broken = -1;
  double shortest = std::numeric_limits<double>::infinity();
  double longest = 0;
};

void add_row(Part& part, const float* row, int64_t dims, int64_t number, bool unit_rows) {
  double squares = 0;
  for (int64_t j = 0; j < dims; ++j) squares += static_cast<double>(row[j]) * row[j];
  if (!std::isfinite(squares)) {
    if (part.broken++ == 0) part.first_broken = number;
    return;
  }
  if (squares == 0) {
    ++part.zeros;
    return;
  }
  const double length = std::sqrt(squares);
  part.shortest = std::min(part.shortest, length);
  part.longest = std::max(part.longest, length);
  const double factor = unit_rows ? 1 / length : 1;
  for (int64_t j = 0; j < dims; ++j) part.sum[static_cast<size_t>(j)] += factor * row[j];
  part.squares += factor * factor * squares;
}

}  // namespace

VectorStatistics statistics_of(const Vectors& vectors, bool unit_rows, int threads,
                               const std::function<void(int64_t done, int64_t total)>& progress) {
  const int64_t dims = vectors.dims();
  const int64_t rows = vectors.rows();
  const int64_t block = std::max<int64_t>(1, (int64_t{1} << 20) / (dims * 4));
  constexpr int64_t kRound = 64;  // blocks whose sums are kept at a time
  Part all{.sum = std::vector<double>(static_cast<size_t>(dims))};
  for (int64_t begin = 0; begin < rows; begin += block * kRound) {
    const int64_t end = std::min(rows, begin + block * kRound);
    std::vector<Part> parts(static_cast<size_t>((end - begin + block - 1) / block));
    vectors.announce(end, block * kRound);
    parallel_for(std::ssize(parts), 1, threads, [&](int64_t first, int64_t last) {
      for (int64_t b = first; b < last; ++b) {
        Part& part = parts[static_cast<size_t>(b)];
        part.sum.resize(static_cast<size_t>(dims));
        const int64_t from = begin + b * block;
        const int64_t count = std::min(block, end - from);
        std::vector<float> values(static_cast<size_t>(count * dims));
        vectors.read(from, count, values.data());
        for (int64_t i = 0; i < count; ++i) add_row(part, values.data() + i * dims, dims, from + i, unit_rows);
      }
    });
    for (const Part& part : parts) {
      for (size_t j = 0; j < all.sum.size(); ++j) all.sum[j] += part.sum[j];
      all.squares += part.squares;
      all.zeros += part.zeros;
      if (all.broken == 0) all.first_broken = part.first_broken;
      all.broken += part.broken;
      all.shortest = std::min(all.shortest, part.shortest);
      all.longest = std::max(all.longest, part.longest);
    }
    if (progress) progress(end, rows);
  }
  check_io(all.broken == 0, "[", vectors.path(), "] expected finite vectors, got NaN or infinity in ", all.broken,
           all.broken == 1 ? " row" : " rows", ", the first of them row ", all.first_broken,
           " (counted from 0); remove them");
  check_io(all.zeros < rows, "[", vectors.path(), "] expected vectors, got zeros in every row");
  VectorStatistics found;
  const auto count = static_cast<double>(rows);
  double squared_mean = 0;
  for (const double sum : all.sum) {
    found.mean.push_back(sum / count);
    squared_mean += found.mean.back() * found.mean.back();
  }
  found.variance = (all.squares / count - squared_mean) / static_cast<double>(dims);
  check_io(found.variance > 1e-12 * all.squares / count, "[", vectors.path(),
           "] expected vectors that differ from each other, got the same in every row");
  found.zero_rows = all.zeros;
  found.shortest = all.shortest;
  found.longest = all.longest;
  return found;
}

}  // namespace orthant::adapt
