#include "orthant/select/ranking.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "orthant/core/error.h"
#include "orthant/core/rng.h"
#include "orthant/core/threads.h"
#include "orthant/measure/consistency.h"

namespace orthant::select {
namespace {

constexpr int64_t kBlocks = 64;
constexpr uint16_t kRandomOrder = 0xff21;

// Means over rows of map(x) / |map(x)| and of its square, column by column.
struct Moments {
  std::vector<double> mean;
  std::vector<double> square;
};

template <class Map>
Moments row_scaled_moments(const Features& features, const Map& map, int threads) {
  const auto cols = static_cast<size_t>(features.cols());
  const int64_t rows = features.rows();
  const int64_t length = std::max<int64_t>(1, (rows + kBlocks - 1) / kBlocks);
  std::vector<Moments> blocks(static_cast<size_t>((rows + length - 1) / length));
  parallel_for(rows, length, threads, [&](int64_t begin, int64_t end) {
    Moments& block = blocks[static_cast<size_t>(begin / length)];
    block = {std::vector<double>(cols), std::vector<double>(cols)};
    for (int64_t i = begin; i < end; ++i) {
      double norm = 0;
      features.visit_row(i, [&](int64_t, float x) { norm += map(x) * map(x); });
      if (norm == 0) continue;
      const double scale = 1 / std::sqrt(norm);
      features.visit_row(i, [&](int64_t j, float x) {
        const double unit = map(x) * scale;
        block.mean[static_cast<size_t>(j)] += unit;
        block.square[static_cast<size_t>(j)] += unit * unit;
      });
    }
  });
  Moments sum{std::vector<double>(cols), std::vector<double>(cols)};
  const auto n = static_cast<double>(std::max<int64_t>(rows, 1));
  for (const Moments& block : blocks) {
    for (size_t j = 0; j < cols; ++j) {
      sum.mean[j] += block.mean[j] / n;
      sum.square[j] += block.square[j] / n;
    }
  }
  return sum;
}

std::vector<double> activation(const Features& features, const std::string& rank, int threads) {
  if (rank == "relu") {
    return row_scaled_moments(
               features, [](float x) { return double{std::max(x, 0.0F)}; }, threads)
        .mean;
  }
  if (rank == "abs")
    return row_scaled_moments(
               features, [](float x) { return double{std::abs(x)}; }, threads)
        .mean;
  check(rank == "raw", "[select] expected a rank of relu, abs or raw, got ", rank);
  return row_scaled_moments(
             features, [](float x) { return double{x}; }, threads)
      .mean;
}

std::vector<double> variance(const Features& features, int threads) {
  const Moments moments = row_scaled_moments(
      features, [](float x) { return double{x}; }, threads);
  std::vector<double> scores;
  for (size_t j = 0; j < moments.mean.size(); ++j) {
    scores.push_back(std::max(0.0, moments.square[j] - moments.mean[j] * moments.mean[j]));
  }
  return scores;
}

std::vector<double> succession(const measure::RuleConsistency& rule, int64_t classes) {
  std::vector<double> scores;
  for (size_t j = 0; j < rule.samples.size(); ++j) {
    const auto samples = static_cast<double>(rule.samples[j]);
    const double most = samples > 0 ? std::round(rule.consistency[j] * samples) : -1;
    scores.push_back((most + 1) / (samples + static_cast<double>(std::max<int64_t>(classes, 1))));
  }
  return scores;
}

std::vector<double> consistency(const Features& features, std::span<const int64_t> labels, bool top, int threads) {
  check(!labels.empty() || features.rows() == 0, "[select] expected labels to rank by consistency, got none");
  if (top) {
    const auto found = measure::top_consistency(features, labels, {.threads = threads});
    return succession(found.rule, found.classes);
  }
  const auto found = measure::class_consistency(features, labels, {.threads = threads});
  return succession(found.positive, found.classes);
}

std::vector<double> learned(std::span<const float> importance, int64_t cols) {
  check(!importance.empty() || cols == 0, "[select] expected features whose importance was learned, got others");
  check(std::ssize(importance) == cols, "[select] expected an importance of each of ", cols, " features, got ",
        importance.size());
  return {importance.begin(), importance.end()};
}

Ranking random_ranking(int64_t cols, uint64_t seed) {
  Ranking ranking;
  ranking.order.resize(static_cast<size_t>(cols));
  std::iota(ranking.order.begin(), ranking.order.end(), int64_t{0});
  Rng({.seed = seed, .epoch = 0, .sample = 0, .view = kRandomOrder}).shuffle(std::span(ranking.order));
  ranking.scores.resize(ranking.order.size());
  for (size_t place = 0; place < ranking.order.size(); ++place) {
    ranking.scores[static_cast<size_t>(ranking.order[place])] = static_cast<double>(ranking.order.size() - 1 - place);
  }
  return ranking;
}

}  // namespace

Ranking rank_features(const Features& features, std::span<const int64_t> labels, const RankingOptions& options) {
  const auto& names = ranking_names();
  check(std::ranges::find(names, options.by) != names.end(),
        "[select] expected activation, variance, consistency, consistency_top, importance or random to rank by, got ",
        options.by);
  if (options.by != "importance") check_finite(features, "select");
  if (options.by == "random") return random_ranking(features.cols(), options.seed);
  Ranking ranking;
  std::vector<double> ties;
  if (options.by == "importance") {
    ranking.scores = learned(options.importance, features.cols());
  } else if (options.by == "activation") {
    ranking.scores = activation(features, options.rank, options.threads);
  } else if (options.by == "variance") {
    ranking.scores = variance(features, options.threads);
  } else {
    ranking.scores = consistency(features, labels, options.by == "consistency_top", options.threads);
    ties = activation(features, "relu", options.threads);
  }
  ranking.order.resize(ranking.scores.size());
  std::iota(ranking.order.begin(), ranking.order.end(), int64_t{0});
  std::ranges::stable_sort(ranking.order, [&](int64_t a, int64_t b) {
    const auto i = static_cast<size_t>(a);
    const auto j = static_cast<size_t>(b);
    if (ranking.scores[i] != ranking.scores[j]) return ranking.scores[i] > ranking.scores[j];
    return !ties.empty() && ties[i] > ties[j];
  });
  return ranking;
}

const std::vector<std::string>& ranking_names() {
  static const std::vector<std::string> kNames = {"activation",      "variance",   "consistency",
                                                  "consistency_top", "importance", "random"};
  return kNames;
}

const std::vector<std::string>& rank_modes() {
  static const std::vector<std::string> kModes = {"relu", "abs", "raw"};
  return kModes;
}

}  // namespace orthant::select
