#include "orthant/disentangle/factor_vae.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/core/threads.h"
#include "orthant/disentangle/factor_target.h"
#include "orthant/disentangle/fixed_factor.h"

namespace orthant::disentangle {
namespace {

constexpr int64_t kVotesPerPiece = 64;
constexpr uint16_t kTrainStream = 0xff40;
constexpr uint16_t kTestStream = 0xff41;

// Sums of squared deviations from the mean of each code over some rows. Two passes: a code that is constant in a batch
// must come out as exactly 0.
class Deviations {
 public:
  explicit Deviations(int64_t codes)
      : mean_(static_cast<size_t>(codes)), squares_(mean_.size()), present_(mean_.size()) {}

  std::span<const double> of(const Features& codes, std::span<const int64_t> rows) {
    std::ranges::fill(mean_, 0);
    std::ranges::fill(squares_, 0);
    std::ranges::fill(present_, 0);
    const auto n = static_cast<double>(rows.size());
    for (const int64_t i : rows) {
      codes.visit_row(i, [&](int64_t j, float x) {
        mean_[static_cast<size_t>(j)] += x;
        present_[static_cast<size_t>(j)] += x != 0;
      });
    }
    for (double& m : mean_) m /= n;
    for (const int64_t i : rows) {
      codes.visit_row(i, [&](int64_t j, float x) {
        const double d = x == 0 ? 0 : x - mean_[static_cast<size_t>(j)];
        squares_[static_cast<size_t>(j)] += d * d;
      });
    }
    for (size_t j = 0; j < mean_.size(); ++j) squares_[j] += (n - present_[j]) * mean_[j] * mean_[j];
    return squares_;
  }

 private:
  std::vector<double> mean_;
  std::vector<double> squares_;
  std::vector<double> present_;  // rows where the code is not 0
};

struct Vote {
  int64_t code;
  int64_t factor;
};

std::vector<Vote> cast_votes(const Features& codes, std::span<const Factor> factors, std::span<const double> variance,
                             std::span<const int64_t> active, int64_t count, uint16_t stream,
                             const FactorVaeOptions& options) {
  const FixedFactorSampler sampler(factors);
  if (sampler.usable() == 0) return {};
  std::vector<Vote> votes(static_cast<size_t>(count));
  parallel_for(count, kVotesPerPiece, options.threads, [&](int64_t begin, int64_t end) {
    Deviations deviations(codes.cols());
    std::vector<int64_t> batch(static_cast<size_t>(options.batch));
    for (int64_t v = begin; v < end; ++v) {
      Rng rng({.seed = options.seed, .sample = static_cast<uint64_t>(v), .view = stream});
      const int64_t factor = sampler.draw_factor(rng);
      const int64_t item = sampler.draw_item(factor, rng);
      for (int64_t& row : batch) row = sampler.draw_like(factor, item, rng);
      const auto squares = deviations.of(codes, batch);
      const int64_t code = *std::ranges::min_element(
          active, {}, [&](int64_t j) { return squares[static_cast<size_t>(j)] / variance[static_cast<size_t>(j)]; });
      votes[static_cast<size_t>(v)] = {code, factor};
    }
  });
  return votes;
}

double accuracy_of(std::span<const Vote> votes, std::span<const int64_t> factor_of_code) {
  const auto right = std::ranges::count_if(
      votes, [&](const Vote& vote) { return factor_of_code[static_cast<size_t>(vote.code)] == vote.factor; });
  return votes.empty() ? 0 : static_cast<double>(right) / static_cast<double>(votes.size());
}

}  // namespace

FactorVaeScore factor_vae(const Features& train, std::span<const Factor> train_factors, const Features& test,
                          std::span<const Factor> test_factors, const FactorVaeOptions& options) {
  check_factors("factor_vae", train_factors, train.rows());
  check_factors("factor_vae", test_factors, test.rows());
  check(train.cols() == test.cols(), "[factor_vae] expected ", train.cols(), " test codes, got ", test.cols());
  check(options.batch >= 2, "[factor_vae] expected a batch of 2 or more, got ", options.batch);
  check_finite(train, "factor_vae");
  check_finite(test, "factor_vae");

  FactorVaeScore score;
  if (train.rows() < 2) return score;
  std::vector<int64_t> everything(static_cast<size_t>(train.rows()));
  std::iota(everything.begin(), everything.end(), 0);
  Deviations deviations(train.cols());
  std::vector<double> variance;
  std::vector<int64_t> active;
  for (const double squares : deviations.of(train, everything)) {
    variance.push_back(squares / static_cast<double>(train.rows() - 1));
    if (variance.back() > 0 && std::sqrt(variance.back()) >= options.prune_below) {
      active.push_back(static_cast<int64_t>(variance.size()) - 1);
    }
  }
  score.active_codes = static_cast<int64_t>(active.size());
  if (active.empty()) return score;

  const auto votes = cast_votes(train, train_factors, variance, active, options.votes, kTrainStream, options);
  Matrix64 table(train.cols(), static_cast<int64_t>(train_factors.size()));
  for (const Vote& vote : votes) table(vote.code, vote.factor) += 1;
  std::vector<int64_t> factor_of_code;
  for (int64_t j = 0; j < table.rows(); ++j) {
    const auto row = table.row(j);
    factor_of_code.push_back(std::ranges::max_element(row) - row.begin());
  }
  score.train_accuracy = accuracy_of(votes, factor_of_code);
  score.accuracy = accuracy_of(
      cast_votes(test, test_factors, variance, active, options.test_votes, kTestStream, options), factor_of_code);
  return score;
}

}  // namespace orthant::disentangle
