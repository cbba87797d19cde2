#include "orthant/select/sweep.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "orthant/core/error.h"
#include "orthant/core/importance.h"
#include "orthant/fit/logistic.h"
#include "orthant/measure/knn.h"
#include "orthant/measure/retrieval.h"
#include "orthant/select/selection.h"

namespace orthant::select {
namespace {

constexpr int64_t kRetrieved = 10;

struct Scores {
  double probe = 0;
  double probe_top5 = 0;
  bool converged = true;  // of the probe
  double knn = 0;
  double precision = 0;
  double average_precision = 0;
};

void check_input(const Embeddings* train, const Embeddings& test, const SweepOptions& options) {
  check(!test.labels.empty(), "[select] expected embeddings with labels for a sweep, got none");
  check(options.seeds >= 1 && options.neighbours >= 1 && options.iterations >= 1,
        "[select] expected at least one seed, neighbour and iteration, got ", options.seeds, ", ", options.neighbours,
        " and ", options.iterations);
  for (const int64_t keep : options.keep) {
    check(keep >= 1 && keep <= test.cols(), "[select] expected 1 to ", test.cols(), " features to keep, got ", keep);
  }
  if (!train) return;
  check(!train->labels.empty(), "[select] expected training embeddings with labels, got none");
  check(train->cols() == test.cols(), "[select] expected training embeddings of ", test.cols(), " features, got ",
        train->cols());
}

// What the probe sees.
Embeddings for_probe(const Embeddings& embeddings, std::span<const int64_t> columns, bool relu) {
  Embeddings kept = select_features(embeddings, columns);
  if (!relu) return kept;
  std::visit(
      [](auto& matrix) {
        for (float& x : matrix.mutable_values()) x = std::max(x, 0.0F);
      },
      kept.features);
  return kept;
}

class Judge {
 public:
  Judge(const Embeddings* train, const Embeddings& test, const SweepOptions& options)
      : train_(train), test_(test), options_(options) {}

  double choose_l2(std::span<const int64_t> all) const {
    if (!train_ || options_.l2 >= 0) return std::max(options_.l2, 0.0);
    const Embeddings features = for_probe(*train_, all, options_.probe_relu);
    return fit::fit_best(features, train_->labels, fitting(0)).l2;
  }

  Scores judge(std::span<const int64_t> columns, double l2) const {
    Scores scores;
    if (train_) {
      const Embeddings seen = for_probe(*train_, columns, options_.probe_relu);
      const auto model = fit::fit_logistic(seen, train_->labels, fitting(l2));
      const auto found =
          fit::accuracy(model, for_probe(test_, columns, options_.probe_relu), test_.labels, options_.threads);
      scores.probe = found.top1;
      scores.probe_top5 = found.top5;
      scores.converged = model.converged;
    }
    search::NeighbourOptions search;
    search.columns = std::vector<int64_t>(columns.begin(), columns.end());
    search.threads = options_.threads;
    search.k = options_.neighbours;
    scores.knn = train_ ? measure::knn_accuracy(*train_, train_->labels, test_, test_.labels, search).accuracy
                        : measure::knn_accuracy(test_, test_.labels, search).accuracy;
    search.k = kRetrieved;
    const auto found = measure::retrieval(test_, test_.labels, search);
    scores.precision = found.precision;
    scores.average_precision = found.average_precision;
    return scores;
  }

 private:
  fit::LogisticOptions fitting(double l2) const {
    return {.l2 = l2, .standardise = true, .max_iterations = options_.iterations, .threads = options_.threads};
  }

  const Embeddings* train_;
  const Embeddings& test_;
  const SweepOptions& options_;
};

Spread spread(const std::vector<Scores>& draws, double Scores::*which) {
  const auto n = static_cast<double>(draws.size());
  Spread result;
  for (const Scores& scores : draws) result.mean += scores.*which / n;
  if (draws.size() < 2) return result;
  double squares = 0;
  for (const Scores& scores : draws) squares += (scores.*which - result.mean) * (scores.*which - result.mean);
  result.deviation = std::sqrt(squares / (n - 1));
  return result;
}

SweepPoint point_of(const std::string& by, const std::string& rank, int64_t kept, const std::vector<Scores>& draws) {
  return {.by = by,
          .rank = rank,
          .kept = kept,
          .draws = static_cast<int64_t>(draws.size()),
          .probe = spread(draws, &Scores::probe),
          .probe_top5 = spread(draws, &Scores::probe_top5),
          .unconverged = std::ranges::count(draws, false, &Scores::converged),
          .knn = spread(draws, &Scores::knn),
          .precision = spread(draws, &Scores::precision),
          .average_precision = spread(draws, &Scores::average_precision)};
}

std::vector<int64_t> numbers_to_keep(const SweepOptions& options, int64_t cols) {
  std::vector<int64_t> keep = options.keep;
  if (keep.empty()) {
    for (int64_t k = 8; k < cols; k *= 2) keep.push_back(k);
  }
  std::ranges::sort(keep);
  keep.erase(std::unique(keep.begin(), keep.end()), keep.end());
  return keep;
}

}  // namespace

Sweep sweep(const Embeddings* train, const Embeddings& test, const SweepOptions& options) {
  check_input(train, test, options);
  const Embeddings& ranked = train ? *train : test;
  const std::vector<float> importance = importance_of(ranked);
  std::vector<std::vector<Ranking>> rankings;  // for each of options.rankings its draws
  for (RankingOptions ranking : options.rankings) {
    ranking.threads = options.threads;
    ranking.importance = importance;
    rankings.emplace_back();
    for (int64_t draw = 0; draw < (ranking.by == "random" ? options.seeds : 1); ++draw, ++ranking.seed) {
      rankings.back().push_back(rank_features(ranked, ranked.labels, ranking));
    }
  }
  const std::vector<int64_t> keep = numbers_to_keep(options, test.cols());
  int64_t total = 1;
  for (const auto& draws : rankings) total += static_cast<int64_t>(draws.size() * keep.size());
  int64_t done = 0;
  const auto tell = [&] {
    ++done;
    if (options.progress) options.progress(done, total);
  };

  std::vector<int64_t> all(static_cast<size_t>(test.cols()));
  std::iota(all.begin(), all.end(), int64_t{0});
  const Judge judge(train, test, options);
  Sweep result{.features = test.cols(), .probed = train != nullptr, .l2 = judge.choose_l2(all), .points = {}};
  result.points.push_back(point_of("all", "", test.cols(), {judge.judge(all, result.l2)}));
  tell();
  for (size_t r = 0; r < rankings.size(); ++r) {
    const RankingOptions& ranking = options.rankings[r];
    for (const int64_t kept : keep) {
      std::vector<Scores> draws;
      for (const Ranking& draw : rankings[r]) {
        draws.push_back(judge.judge(std::span(draw.order).first(static_cast<size_t>(kept)), result.l2));
        tell();
      }
      result.points.push_back(point_of(ranking.by, ranking.by == "activation" ? ranking.rank : "", kept, draws));
    }
  }
  return result;
}

}  // namespace orthant::select
