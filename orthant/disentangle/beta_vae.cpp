#include "orthant/disentangle/beta_vae.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/core/threads.h"
#include "orthant/disentangle/factor_target.h"
#include "orthant/disentangle/fixed_factor.h"
#include "orthant/fit/logistic.h"

namespace orthant::disentangle {
namespace {

constexpr int64_t kPointsPerPiece = 64;
constexpr uint16_t kTrainStream = 0xff42;
constexpr uint16_t kTestStream = 0xff43;

struct Points {
  Matrix differences;           // [points, D]
  std::vector<int64_t> labels;  // [points] the fixed factor
};

Points draw_points(const Features& codes, std::span<const Factor> factors, int64_t count, uint16_t stream,
                   const BetaVaeOptions& options) {
  const FixedFactorSampler sampler(factors);
  if (sampler.usable() == 0) return {};
  Points points{.differences = Matrix(count, codes.cols()), .labels = std::vector<int64_t>(static_cast<size_t>(count))};
  float* out = points.differences.mutable_data();
  parallel_for(count, kPointsPerPiece, options.threads, [&](int64_t begin, int64_t end) {
    std::vector<double> sum(static_cast<size_t>(codes.cols()));
    std::vector<float> first(sum.size());
    for (int64_t v = begin; v < end; ++v) {
      Rng rng({.seed = options.seed, .sample = static_cast<uint64_t>(v), .view = stream});
      const int64_t factor = sampler.draw_factor(rng);
      std::ranges::fill(sum, 0);
      for (int64_t pair = 0; pair < options.batch; ++pair) {
        const int64_t a = sampler.draw_item(factor, rng);
        const int64_t b = sampler.draw_like(factor, a, rng);
        codes.visit_row(a, [&](int64_t j, float x) { first[static_cast<size_t>(j)] = x; });
        codes.visit_row(b, [&](int64_t j, float x) {
          sum[static_cast<size_t>(j)] += std::abs(static_cast<double>(first[static_cast<size_t>(j)]) - x);
          first[static_cast<size_t>(j)] = 0;
        });
        codes.visit_row(a, [&](int64_t j, float) {
          sum[static_cast<size_t>(j)] += std::abs(first[static_cast<size_t>(j)]);
          first[static_cast<size_t>(j)] = 0;
        });
      }
      points.labels[static_cast<size_t>(v)] = factor;
      std::ranges::transform(sum, out + v * codes.cols(),
                             [&](double s) { return static_cast<float>(s / static_cast<double>(options.batch)); });
    }
  });
  return points;
}

}  // namespace

BetaVaeScore beta_vae(const Features& train, std::span<const Factor> train_factors, const Features& test,
                      std::span<const Factor> test_factors, const BetaVaeOptions& options) {
  check_factors("beta_vae", train_factors, train.rows());
  check_factors("beta_vae", test_factors, test.rows());
  check(train.cols() == test.cols(), "[beta_vae] expected ", train.cols(), " test codes, got ", test.cols());
  check(options.batch >= 1 && options.points >= 1, "[beta_vae] expected a batch and points of 1 or more, got ",
        options.batch, " and ", options.points);
  check_finite(train, "beta_vae");
  check_finite(test, "beta_vae");

  const Points points = draw_points(train, train_factors, options.points, kTrainStream, options);
  if (std::ranges::all_of(points.differences.values(), [](float x) { return x == 0; })) return {};
  const fit::LogisticModel model = fit::fit_logistic(
      points.differences, points.labels, {.l2 = 1 / static_cast<double>(options.points), .threads = options.threads});
  BetaVaeScore score;
  score.train_accuracy = fit::accuracy(model, points.differences, points.labels, options.threads).top1;
  const Points tested = draw_points(test, test_factors, options.test_points, kTestStream, options);
  if (!tested.labels.empty()) {
    score.accuracy = fit::accuracy(model, tested.differences, tested.labels, options.threads).top1;
  }
  return score;
}

}  // namespace orthant::disentangle
