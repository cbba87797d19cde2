#include "orthant/search/neighbours.h"

#include <algorithm>
#include <mutex>
#include <numeric>

#include "orthant/core/error.h"
#include "orthant/core/threads.h"
#include "orthant/search/list_search.h"
#include "orthant/search/panel_search.h"
#include "orthant/search/rows.h"
#include "orthant/search/tile_search.h"
#include "orthant/search/top_lists.h"

namespace orthant::search {
namespace {

constexpr int64_t kGrain = 64;

void check_arguments(const Features& bank, const Features& queries, const NeighbourOptions& options) {
  check(bank.cols() == queries.cols(), "[neighbours] expected queries of ", bank.cols(), " features, got ",
        queries.cols());
  check(options.k >= 1, "[neighbours] expected k of at least 1, got ", options.k);
  check(bank.rows() <= INT32_MAX, "[neighbours] expected at most 2^31-1 rows to search, got ", bank.rows());
  check(!options.exclude_self || queries.rows() <= bank.rows(),
        "[neighbours] expected at most as many queries as rows where query i is row i, got ", queries.rows(), " for ",
        bank.rows());
}

// The way with the least work, in cycles per pair of rows as measured on AVX2 (retrieval_bench).
auto best_search(const SearchRows& bank, const SearchRows& queries) {
  const auto rows = static_cast<double>(std::max<int64_t>(bank.rows(), 1));
  const auto count = static_cast<double>(std::max<int64_t>(queries.rows(), 1));
  double filled = 0;
  double meetings = 0;
  for (size_t j = 0; j < bank.filled().size(); ++j) {
    filled += static_cast<double>(bank.filled()[j]) / rows;
    meetings += static_cast<double>(bank.filled()[j]) / rows * (static_cast<double>(queries.filled()[j]) / count);
  }
  const double by_panels = 0.5 + static_cast<double>(bank.dims()) / 12;
  const double by_tiles = 1.8 + filled / 6;
  const double by_lists = 1.7 + meetings * 3.8;
  if (by_lists < std::min(by_panels, by_tiles)) return &list_search;
  return by_tiles < by_panels ? &tile_search : &panel_search;
}

// Pairs done, told to the caller as queries done.
class Progress {
 public:
  Progress(const NeighbourOptions& options, int64_t queries, int64_t rows)
      : tell_(options.progress), queries_(queries), rows_(std::max<int64_t>(rows, 1)) {}

  void add(int64_t pairs) {
    if (!tell_) return;
    const std::scoped_lock lock(mutex_);
    pairs_ += pairs;
    tell_(pairs_ / rows_, queries_);
  }

 private:
  const std::function<void(int64_t, int64_t)>& tell_;
  int64_t queries_;
  int64_t rows_;
  std::mutex mutex_;
  int64_t pairs_ = 0;
};

// The sum of term(column, value) over a row, in four parts by column modulo 4: chains that run side by side, and the
// same to the bit whether a row stores its zeros or not.
template <class Term>
double sum_over_row(const Features& features, int64_t row, const Term& term) {
  double sums[4] = {};
  if (features.dense() != nullptr) {
    const auto values = features.dense()->row(row);
    size_t j = 0;
    for (; j + 4 <= values.size(); j += 4) {
      for (size_t part = 0; part < 4; ++part) sums[part] += term(j + part, static_cast<double>(values[j + part]));
    }
    for (; j < values.size(); ++j) sums[j % 4] += term(j, static_cast<double>(values[j]));
  } else {
    const auto entries = features.sparse()->row(row);
    for (size_t n = 0; n < entries.indices.size(); ++n) {
      const auto j = static_cast<size_t>(entries.indices[n]);
      sums[j % 4] += term(j, static_cast<double>(entries.values[n]));
    }
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// The scores of the rows found once more, in double precision: cosine, inner product or squared distance.
class Scorer {
 public:
  Scorer(const SearchRows& bank, const SearchRows& queries, Metric metric)
      : bank_(bank),
        queries_(queries),
        metric_(metric),
        kept_(static_cast<size_t>(bank.features().cols())),
        query_(kept_.size()) {
    for (size_t j = 0; j < kept_.size(); ++j) kept_[j] = bank.keeps(static_cast<int64_t>(j)) ? 1 : 0;
  }

  void take(int64_t query) {
    std::ranges::fill(query_, 0.0);
    scale_ = queries_.scale(query);
    squares_ = sum_over_row(queries_.features(), query, [&](size_t j, double x) {
      query_[j] = x * kept_[j];
      return query_[j] * query_[j];
    });
  }

  double score(int64_t row) const {
    if (metric_ == Metric::squared_l2) {  // |b|^2 - 2 q.b + |q|^2, exactly 0 for equal rows
      const double sum =
          sum_over_row(bank_.features(), row, [&](size_t j, double x) { return x * (kept_[j] * x - 2 * query_[j]); });
      return std::max(sum + squares_, 0.0);
    }
    const double sum = sum_over_row(bank_.features(), row, [&](size_t j, double x) { return query_[j] * x; });
    return sum * (scale_ * bank_.scale(row));
  }

 private:
  const SearchRows& bank_;
  const SearchRows& queries_;
  Metric metric_;
  std::vector<double> kept_;  // [D] 1 for the columns that count
  std::vector<double> query_;
  double scale_ = 1;
  double squares_ = 0;
};

Neighbours ranked(const SearchRows& bank, const SearchRows& queries, const NeighbourOptions& options, int64_t k,
                  TopLists& lists) {
  Neighbours found{.indices = DenseMatrix<int32_t>(queries.rows(), k),
                   .scores = Matrix(queries.rows(), k),
                   .self_excluded = options.exclude_self};
  const bool smaller = options.metric == Metric::squared_l2;
  int32_t* const indices = found.indices.mutable_data();
  float* const scores = found.scores.mutable_data();
  parallel_for(queries.rows(), kGrain, options.threads, [&](int64_t begin, int64_t end) {
    Scorer scorer(bank, queries, options.metric);
    for (int64_t q = begin; q < end; ++q) {
      const auto list = lists.list(q);
      scorer.take(q);
      for (Candidate& candidate : list) {
        const auto score = static_cast<float>(scorer.score(candidate.index));
        candidate.score = smaller ? -score : score;
      }
      std::ranges::sort(list, [](const Candidate& a, const Candidate& b) { return a.before(b); });
      for (size_t n = 0; n < list.size(); ++n) {
        indices[q * k + static_cast<int64_t>(n)] = list[n].index;
        scores[q * k + static_cast<int64_t>(n)] = smaller ? -list[n].score : list[n].score;
      }
    }
  });
  return found;
}

}  // namespace

Neighbours neighbours(const Features& bank, const Features& queries, const NeighbourOptions& options) {
  check_arguments(bank, queries, options);
  const bool same = bank.dense() == queries.dense() && bank.sparse() == queries.sparse();
  const SearchRows rows(bank, options);
  const std::optional<SearchRows> others =
      same ? std::nullopt : std::optional<SearchRows>(std::in_place, queries, options);
  const SearchRows& asked = same ? rows : *others;
  const int64_t k = std::clamp<int64_t>(bank.rows() - (options.exclude_self ? 1 : 0), 0, options.k);
  TopLists lists(queries.rows(), k, options.exclude_self);
  Progress progress(options, queries.rows(), bank.rows());
  if (k > 0) {
    best_search(rows, asked)(rows, asked, options.threads, lists, [&](int64_t pairs) { progress.add(pairs); });
  }
  return ranked(rows, asked, options, k, lists);
}

}  // namespace orthant::search
