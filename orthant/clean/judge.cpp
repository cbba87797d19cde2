#include "orthant/clean/judge.h"

#include <algorithm>
#include <cmath>

#include "orthant/core/rng.h"

namespace orthant::clean {
namespace {

constexpr double kBeforehand = 0.1;  // votes of a class without any

// Items of a class go to the folds in turn, in random order, so that each fold has its share.
std::vector<int32_t> make_folds(std::span<const int64_t> labels, int64_t classes, const CleanOptions& options) {
  std::vector<std::vector<int64_t>> members(static_cast<size_t>(classes) + 1);
  for (size_t i = 0; i < labels.size(); ++i)
    members[static_cast<size_t>(labels[i] + 1)].push_back(static_cast<int64_t>(i));
  std::vector<int32_t> fold(labels.size());
  int64_t next = 0;
  for (size_t c = 0; c < members.size(); ++c) {
    Rng(StreamKey{.seed = options.seed, .sample = c}).shuffle(std::span(members[c]));
    for (const int64_t i : members[c]) fold[static_cast<size_t>(i)] = static_cast<int32_t>(next++ % options.folds);
  }
  return fold;
}

void softmax(std::span<float> row) {
  const float largest = *std::ranges::max_element(row);
  double sum = 0;
  for (const float x : row) sum += std::exp(double{x} - largest);
  for (float& x : row) x = static_cast<float>(std::exp(double{x} - largest) / sum);
}

}  // namespace

Matrix votes(std::span<const int64_t> labels, const search::Neighbours& found, int64_t classes, int64_t k) {
  Matrix shares(found.queries(), classes);
  for (int64_t i = 0; i < found.queries(); ++i) {
    std::vector<double> count(static_cast<size_t>(classes), kBeforehand);
    double sum = kBeforehand * static_cast<double>(classes);
    for (int64_t n = 0; n < std::min(k, found.k()); ++n) {
      const int64_t label = labels[static_cast<size_t>(found.indices(i, n))];
      if (label < 0) continue;
      count[static_cast<size_t>(label)] += 1;
      sum += 1;
    }
    for (int64_t c = 0; c < classes; ++c) shares(i, c) = static_cast<float>(count[static_cast<size_t>(c)] / sum);
  }
  return shares;
}

Judgement judge_labels(const Features& features, std::span<const int64_t> labels, const search::Neighbours& found,
                       const CleanOptions& options) {
  const int64_t classes = std::max<int64_t>(*std::ranges::max_element(labels) + 1, 2);
  Judgement judgement{votes(labels, found, classes, options.neighbours), make_folds(labels, classes, options), {}};
  double l2 = 0;
  for (int32_t f = 0; f < options.folds; ++f) {
    if (options.progress) options.progress("probe", f, options.folds);
    std::vector<int64_t> seen(labels.begin(), labels.end());
    for (size_t i = 0; i < seen.size(); ++i) {
      if (judgement.fold[i] == f) seen[i] = -1;
    }
    // The strength of the penalty is chosen once, on the items of the other folds.
    fit::LogisticOptions how{
        .l2 = l2, .standardise = true, .max_iterations = 200, .tolerance = 1e-3, .threads = options.threads};
    const fit::BestOptions grid{.l2 = {1e-1, 1e-2, 1e-3}, .seed = options.seed};
    judgement.models.push_back(f == 0 ? fit::fit_best(features, seen, how, grid)
                                      : fit::fit_logistic(features, seen, how));
    l2 = judgement.models.back().l2;
    Matrix logits = fit::logits(judgement.models.back(), features, options.threads);
    for (int64_t i = 0; i < features.rows(); ++i) {
      if (judgement.fold[static_cast<size_t>(i)] != f) continue;
      softmax(logits.mutable_row(i));
      // A fold without the largest class has a shorter model: what it never saw has probability 0.
      for (int64_t c = 0; c < classes; ++c) {
        const float probed = c < logits.cols() ? logits(i, c) : 0;
        judgement.probabilities(i, c) = (judgement.probabilities(i, c) + probed) / 2;
      }
    }
  }
  if (options.progress) options.progress("probe", options.folds, options.folds);
  return judgement;
}

}  // namespace orthant::clean
