#include "orthant/disentangle/following.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "orthant/core/error.h"
#include "orthant/core/rng.h"
#include "orthant/disentangle/chance_purity.h"
#include "orthant/disentangle/factor_target.h"
#include "orthant/search/strongest.h"

namespace orthant::disentangle {
namespace {

constexpr uint16_t kDrawStream = 0xff48;
constexpr int kDrawings = 2000;

// Scores of a growing set of items against one factor: how pure its values are.
class Purity {
 public:
  Purity(const Factor& factor, int64_t most) : target_(factor_target(factor)), counts_(target_.members.size()) {
    if (scores()) chance_ = chance_purity(target_.members, most);
  }

  bool scores() const { return target_.count > 1; }
  void clear() {
    std::ranges::fill(counts_, 0);
    items_ = largest_ = 0;
  }
  void add(int64_t item) {
    ++items_;
    largest_ = std::max(largest_, ++counts_[static_cast<size_t>(target_.train[static_cast<size_t>(item)])]);
  }
  double score() const {
    const double chance = chance_[static_cast<size_t>(items_)];
    if (chance == 1) return 0;  // all but a few items have one value, and none of the drawings met another
    return (static_cast<double>(largest_) / static_cast<double>(items_) - chance) / (1 - chance);
  }

 private:
  FactorTarget target_;
  std::vector<double> chance_;
  std::vector<int64_t> counts_;
  int64_t items_ = 0;
  int64_t largest_ = 0;
};

// The same: how close together they lie, as points that have mean 0 and variance 1 over all items.
class Region {
 public:
  explicit Region(const Factor& factor) {
    for (const int32_t c : factor.classes) points_.push_back(point(factor, factor.values[static_cast<size_t>(c)]));
    const auto count = static_cast<double>(points_.size());
    Point mean{};
    for (const Point& p : points_) mean = {mean[0] + p[0] / count, mean[1] + p[1] / count};
    double sum = 0;
    for (Point& p : points_) {
      p = {p[0] - mean[0], p[1] - mean[1]};
      sum += p[0] * p[0] + p[1] * p[1];
    }
    const double deviation = std::sqrt(sum / (count - 1));
    varies_ = count > 1 && deviation > 0;
    if (!varies_) return;
    for (Point& p : points_) p = {p[0] / deviation, p[1] / deviation};
  }

  bool scores() const { return varies_; }
  void clear() {
    sum_ = {};
    squares_ = items_ = 0;
  }
  void add(int64_t item) {
    const Point& p = points_[static_cast<size_t>(item)];
    sum_ = {sum_[0] + p[0], sum_[1] + p[1]};
    squares_ += p[0] * p[0] + p[1] * p[1];
    ++items_;
  }
  double score() const { return 1 - (squares_ - (sum_[0] * sum_[0] + sum_[1] * sum_[1]) / items_) / (items_ - 1); }

 private:
  using Point = std::array<double, 2>;

  static Point point(const Factor& factor, float value) {
    check(std::isfinite(value), "[follow_regions] expected finite values of ", factor.name, ", got ", value);
    if (std::isinf(factor.period)) return {value, 0};
    const double angle = 2 * std::numbers::pi * value / factor.period;
    return {std::cos(angle), std::sin(angle)};
  }

  std::vector<Point> points_;
  bool varies_ = false;
  Point sum_{};
  double squares_ = 0;
  double items_ = 0;
};

template <class Score>
double best_of(const std::vector<Score>& scores) {
  double best = -std::numeric_limits<double>::infinity();
  for (const Score& score : scores) best = std::max(best, score.score());
  return best;
}

template <class Score>
void add(std::vector<Score>& scores, int64_t item) {
  for (Score& score : scores) score.add(item);
}

template <class Score>
void clear(std::vector<Score>& scores) {
  for (Score& score : scores) score.clear();
}

// [most + 1]: the expected best score of so many items drawn at random. Each drawing serves every number.
template <class Score>
std::vector<double> chance_of_best(std::vector<Score>& scores, int64_t items, int64_t most) {
  std::vector<int64_t> order(static_cast<size_t>(items));
  std::iota(order.begin(), order.end(), int64_t{0});
  std::vector<double> chance(static_cast<size_t>(most) + 1);
  Rng rng({.view = kDrawStream});
  for (int drawing = 0; drawing < kDrawings; ++drawing) {
    clear(scores);
    for (size_t s = 0; s < static_cast<size_t>(most); ++s) {
      std::swap(order[s], order[s + rng.below(order.size() - s)]);
      add(scores, order[s]);
      if (s > 0) chance[s + 1] += best_of(scores) / kDrawings;
    }
  }
  return chance;
}

void count_followers(Following& found, std::span<const double> scores) {
  int64_t followed = 0;
  for (size_t f = 0; f < scores.size(); ++f) {
    if (scores[f] < kFollows) continue;
    ++found.followers[f];
    ++followed;
  }
  found.following += followed > 0;
  found.several += followed > 1;
}

void check_input(const char* where, const Features& codes, std::span<const Factor> factors,
                 const FollowingOptions& options) {
  check(codes.rows() > 0, "[", where, "] expected at least one item, got none");
  check(!factors.empty(), "[", where, "] expected at least one factor, got none");
  check(options.share > 0 && options.share <= 1, "[", where, "] expected a share above 0 and up to 1, got ",
        options.share);
  check_factors(where, factors, codes.rows());
}

template <class Score>
Following follow(const Features& codes, std::vector<Score> scores, Following found, const FollowingOptions& options) {
  found.scores = Matrix64(codes.cols(), static_cast<int64_t>(scores.size()));
  std::ranges::fill(found.scores.mutable_values(), std::numeric_limits<double>::quiet_NaN());
  found.followers.resize(scores.size());
  if (scores.empty()) return found;
  const int64_t most = search::items_of_share(options.share, codes.rows());
  const search::StrongestItems strongest =
      search::strongest_items(codes, {}, {.most = most, .threshold = options.threshold, .threads = options.threads});
  const std::vector<double> chance = chance_of_best(scores, codes.rows(), most);
  for (int64_t j = 0; j < codes.cols(); ++j) {
    const auto items = strongest.of(j);
    if (items.size() < 2) continue;
    clear(scores);
    for (const int32_t item : items) add(scores, item);
    const auto row = found.scores.mutable_row(j);
    std::ranges::transform(scores, row.begin(), &Score::score);
    count_followers(found, row);
    ++found.features;
    found.mean_best += std::ranges::max(row);
    found.mean_chance += chance[items.size()];
  }
  if (found.features == 0) return found;
  found.mean_best /= static_cast<double>(found.features);
  found.mean_chance /= static_cast<double>(found.features);
  return found;
}

}  // namespace

Following follow_values(const Features& codes, std::span<const Factor> factors, const FollowingOptions& options) {
  check_input("follow_values", codes, factors, options);
  Following found;
  std::vector<Purity> scores;
  for (const Factor& factor : factors) {
    Purity score(factor, search::items_of_share(options.share, codes.rows()));
    (score.scores() ? found.factors : found.left_out).push_back(factor.name);
    if (score.scores()) scores.push_back(std::move(score));
  }
  return follow(codes, std::move(scores), std::move(found), options);
}

Following follow_regions(const Features& codes, std::span<const Factor> factors, const FollowingOptions& options) {
  check_input("follow_regions", codes, factors, options);
  Following found;
  std::vector<Region> scores;
  for (const Factor& factor : factors) {
    if (factor.period == 0) continue;
    Region score(factor);
    (score.scores() ? found.factors : found.left_out).push_back(factor.name);
    if (score.scores()) scores.push_back(std::move(score));
  }
  return follow(codes, std::move(scores), std::move(found), options);
}

}  // namespace orthant::disentangle
