#include "orthant/measure/stability.h"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "orthant/core/assignment.h"
#include "orthant/core/error.h"
#include "orthant/core/one_thread.h"
#include "orthant/core/threads.h"

namespace orthant::measure {
namespace {

constexpr int64_t kRowsAtOnce = 512;
constexpr int64_t kColumnsAtOnce = 128;

// What is subtracted from each column, and which columns carry anything then.
struct Columns {
  std::vector<double> centre;
  std::vector<double> squares;
  std::vector<int64_t> live;
};

Columns survey(const Features& features, bool centred) {
  const auto count = static_cast<size_t>(features.cols());
  std::vector<int64_t> seen(count, 0);
  std::vector<float> low(count, std::numeric_limits<float>::infinity());
  std::vector<float> high(count, -std::numeric_limits<float>::infinity());
  Columns columns{std::vector<double>(count, 0.0), std::vector<double>(count, 0.0), {}};
  for (int64_t i = 0; i < features.rows(); ++i) {
    features.visit_row(i, [&](int64_t j, float x) {
      const auto at = static_cast<size_t>(j);
      ++seen[at];
      low[at] = std::min(low[at], x);
      high[at] = std::max(high[at], x);
      columns.centre[at] += x;
    });
  }
  for (size_t j = 0; j < count; ++j) {
    if (seen[j] < features.rows()) {
      low[j] = std::min(low[j], 0.0F);
      high[j] = std::max(high[j], 0.0F);
    }
    columns.centre[j] = centred ? columns.centre[j] / static_cast<double>(features.rows()) : 0;
    if (centred ? low[j] != high[j] : low[j] != 0 || high[j] != 0) columns.live.push_back(static_cast<int64_t>(j));
  }
  return columns;
}

// Rows from `begin` on as dense doubles, centred; also adds to the columns' squares.
void read_rows(const Features& features, int64_t begin, Matrix64& out, Columns& columns) {
  for (int64_t i = 0; i < out.rows(); ++i) {
    const auto row = out.mutable_row(i);
    for (size_t j = 0; j < row.size(); ++j) row[j] = -columns.centre[j];
    features.visit_row(begin + i, [&](int64_t j, float x) { row[static_cast<size_t>(j)] += x; });
    for (size_t j = 0; j < row.size(); ++j) columns.squares[j] += row[j] * row[j];
  }
}

// [D1, D2]: the products of columns, divided by their lengths.
Matrix64 similarities(const Features& first, const Features& second, Columns& a, Columns& b,
                      const StabilityOptions& options) {
  Matrix64 out(first.cols(), second.cols());
  const auto d1 = static_cast<int>(first.cols());
  const auto d2 = static_cast<int>(second.cols());
  for (int64_t begin = 0; begin < first.rows(); begin += kRowsAtOnce) {
    const int64_t rows = std::min(kRowsAtOnce, first.rows() - begin);
    Matrix64 x(rows, first.cols());
    Matrix64 y(rows, second.cols());
    read_rows(first, begin, x, a);
    read_rows(second, begin, y, b);
    parallel_for(first.cols(), kColumnsAtOnce, options.threads, [&](int64_t from, int64_t to) {
      const OneThread one;
      cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, static_cast<int>(to - from), d2, static_cast<int>(rows), 1.0,
                  x.data() + from, d1, y.data(), d2, 1.0, &out(from, 0), d2);
    });
  }
  for (int64_t i = 0; i < out.rows(); ++i) {
    for (int64_t j = 0; j < out.cols(); ++j) {
      const double lengths =
          std::sqrt(a.squares[static_cast<size_t>(i)]) * std::sqrt(b.squares[static_cast<size_t>(j)]);
      const double cosine = lengths > 0 ? std::clamp(out(i, j) / lengths, -1.0, 1.0) : 0;
      out(i, j) = options.absolute ? std::abs(cosine) : cosine;
    }
  }
  return out;
}

// The live pairs of the best matching: features of `first` and of `second`.
std::vector<std::pair<int64_t, int64_t>> match(const Matrix64& similarity, const Columns& a, const Columns& b) {
  const bool swapped = a.live.size() > b.live.size();
  const auto& few = swapped ? b.live : a.live;
  const auto& many = swapped ? a.live : b.live;
  Matrix64 cost(static_cast<int64_t>(few.size()), static_cast<int64_t>(many.size()));
  for (size_t i = 0; i < few.size(); ++i) {
    for (size_t j = 0; j < many.size(); ++j) {
      cost(static_cast<int64_t>(i), static_cast<int64_t>(j)) =
          -(swapped ? similarity(many[j], few[i]) : similarity(few[i], many[j]));
    }
  }
  const auto chosen = assign(cost);
  std::vector<std::pair<int64_t, int64_t>> pairs;
  for (size_t i = 0; i < few.size(); ++i) {
    const int64_t other = many[static_cast<size_t>(chosen[i])];
    pairs.push_back(swapped ? std::pair{other, few[i]} : std::pair{few[i], other});
  }
  return pairs;
}

}  // namespace

Stability stability(const Features& first, const Features& second, const StabilityOptions& options) {
  check(options.similarity == "cosine" || options.similarity == "correlation",
        "[stability] expected similarity cosine or correlation, got '", options.similarity, "'");
  check(first.rows() == second.rows(), "[stability] expected features of the same items, got ", first.rows(), " and ",
        second.rows(), " rows");
  check(first.cols() <= INT32_MAX && second.cols() <= INT32_MAX, "[stability] expected fewer than 2^31 features, got ",
        std::max(first.cols(), second.cols()));
  check_finite(first, "stability, first model");
  check_finite(second, "stability, second model");
  const bool centred = options.similarity == "correlation";
  Columns a = survey(first, centred);
  Columns b = survey(second, centred);
  Stability result;
  result.partner.resize(static_cast<size_t>(first.cols()), -1);
  result.similarity.resize(static_cast<size_t>(first.cols()), 0.0);
  result.live_first = static_cast<int64_t>(a.live.size());
  result.live_second = static_cast<int64_t>(b.live.size());
  if (a.live.empty() || b.live.empty()) return result;
  const Matrix64 similarity = similarities(first, second, a, b, options);
  for (const auto& [i, j] : match(similarity, a, b)) {
    result.partner[static_cast<size_t>(i)] = j;
    result.similarity[static_cast<size_t>(i)] = similarity(i, j);
  }
  result.mean = std::accumulate(result.similarity.begin(), result.similarity.end(), 0.0) /
                static_cast<double>(std::max(a.live.size(), b.live.size()));
  std::vector<double> best_second(static_cast<size_t>(second.cols()), -1.0);
  for (const int64_t i : a.live) {
    double best = -1;
    for (const int64_t j : b.live) {
      best = std::max(best, similarity(i, j));
      best_second[static_cast<size_t>(j)] = std::max(best_second[static_cast<size_t>(j)], similarity(i, j));
    }
    result.mean_best_first += best / static_cast<double>(a.live.size());
  }
  for (const int64_t j : b.live) {
    result.mean_best_second += best_second[static_cast<size_t>(j)] / static_cast<double>(b.live.size());
  }
  return result;
}

}  // namespace orthant::measure
