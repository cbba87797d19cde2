#include "orthant/search/rows.h"

#include <atomic>
#include <cmath>
#include <mutex>

#include "orthant/core/error.h"
#include "orthant/core/threads.h"

namespace orthant::search {
namespace {

constexpr int64_t kGrain = 1024;
constexpr double kLongest = 1e18;  // products of longer rows could leave the range of a float

}  // namespace

SearchRows::SearchRows(const Features& features, const NeighbourOptions& options)
    : features_(features), dims_(features.cols()) {
  if (options.columns) place_columns(*options.columns);
  read_rows(options);
}

void SearchRows::place_columns(const std::vector<int64_t>& columns) {
  positions_.assign(static_cast<size_t>(features_.cols()), -1);
  for (const int64_t column : columns) {
    check(column >= 0 && column < features_.cols(), "[neighbours] expected columns from 0 to ", features_.cols() - 1,
          ", got ", column);
    check(positions_[static_cast<size_t>(column)] < 0, "[neighbours] expected every column once, got ", column,
          " twice");
    positions_[static_cast<size_t>(column)] = 0;
  }
  int32_t next = 0;
  for (int32_t& position : positions_) {
    if (position == 0) position = next++;
  }
  dims_ = next;
}

void SearchRows::read_rows(const NeighbourOptions& options) {
  const bool cosine = options.metric == Metric::cosine;
  const bool squared = options.metric == Metric::squared_l2;
  if (cosine) scales_.resize(static_cast<size_t>(rows()));
  if (squared) starts_.resize(static_cast<size_t>(rows()));
  filled_.assign(static_cast<size_t>(dims_), 0);
  std::mutex mutex;
  std::atomic<bool> finite = true;
  std::atomic<bool> in_range = true;
  parallel_for(rows(), kGrain, options.threads, [&](int64_t begin, int64_t end) {
    std::vector<int64_t> filled(filled_.size());
    for (int64_t i = begin; i < end; ++i) {
      double sum = 0;
      visit_unscaled(i, [&](int64_t j, float x) {
        sum += static_cast<double>(x) * static_cast<double>(x);
        ++filled[static_cast<size_t>(j)];
      });
      const double norm = cosine && !options.renormalise ? features_.row_norm(i) : std::sqrt(sum);
      if (!std::isfinite(norm)) finite = false;
      if (!cosine && norm > kLongest) in_range = false;
      if (cosine) scales_[static_cast<size_t>(i)] = norm > 0 ? 1 / norm : 0;
      if (squared) starts_[static_cast<size_t>(i)] = static_cast<float>(-0.5 * sum);
    }
    const std::scoped_lock lock(mutex);
    for (size_t j = 0; j < filled.size(); ++j) filled_[j] += filled[j];
  });
  if (!finite) check_finite(features_, "neighbours");
  check(in_range, "[neighbours] expected rows no longer than ", kLongest, " unless compared by cosine");
}

}  // namespace orthant::search
