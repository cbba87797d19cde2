#include "orthant/disentangle/dependence.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/core/rng.h"
#include "orthant/disentangle/factor_target.h"

namespace orthant::disentangle {
namespace {

constexpr uint16_t kShuffleStream = 0xff45;
constexpr uint16_t kDrawStream = 0xff46;
constexpr uint32_t kShuffles = 4;
constexpr size_t kMostItems = 10'000;
constexpr double kTooFew = 1e-9;  // nats between chance and certainty, below which items tell nothing

// Of the numbers that occur; their order is lost.
double entropy_of(std::vector<int64_t> numbers) {
  std::ranges::sort(numbers);
  const auto total = static_cast<double>(numbers.size());
  double entropy = 0;
  for (auto at = numbers.begin(); at != numbers.end();) {
    const auto end = std::upper_bound(at, numbers.end(), *at);
    const double share = static_cast<double>(end - at) / total;
    entropy -= share * std::log(share);
    at = end;
  }
  return entropy;
}

std::vector<int64_t> numbers_of(const Factor& factor) { return {factor.classes.begin(), factor.classes.end()}; }

double joint_entropy(const std::vector<int64_t>& a, const std::vector<int64_t>& b, int64_t classes) {
  std::vector<int64_t> both(a.size());
  for (size_t i = 0; i < a.size(); ++i) both[i] = a[i] * classes + b[i];
  return entropy_of(std::move(both));
}

std::vector<Factor> drawn(std::span<const Factor> factors) {
  const size_t items = factors.empty() ? 0 : factors.front().classes.size();
  if (items <= kMostItems) return {factors.begin(), factors.end()};
  std::vector<int64_t> chosen(items);
  std::iota(chosen.begin(), chosen.end(), int64_t{0});
  Rng rng({.view = kDrawStream});
  for (size_t i = 0; i < kMostItems; ++i) std::swap(chosen[i], chosen[i + rng.below(items - i)]);
  chosen.resize(kMostItems);
  std::vector<Factor> some;
  for (const Factor& factor : factors) some.push_back(gather_items(factor, chosen));
  return some;
}

}  // namespace

double dependence(const Factor& a, const Factor& b) {
  check(a.classes.size() == b.classes.size(), "[factors] expected as many items of ", b.name, " as of ", a.name, " (",
        a.classes.size(), "), got ", b.classes.size());
  const std::vector<int64_t> first = numbers_of(a);
  std::vector<int64_t> second = numbers_of(b);
  const auto classes = static_cast<int64_t>(b.values.size());
  const double alone = entropy_of(first) + entropy_of(second);
  const double most = std::min(entropy_of(first), entropy_of(second));
  const double shared = alone - joint_entropy(first, second, classes);
  double chance = 0;
  for (uint32_t k = 0; k < kShuffles; ++k) {
    Rng(StreamKey{.epoch = k, .view = kShuffleStream}).shuffle(std::span(second));
    chance += (alone - joint_entropy(first, second, classes)) / kShuffles;
  }
  return most - chance < kTooFew ? 0 : std::clamp((shared - chance) / (most - chance), 0.0, 1.0);
}

std::optional<DependentFactors> most_dependent(std::span<const Factor> factors, double limit) {
  const std::vector<Factor> items = drawn(factors);
  std::optional<DependentFactors> found;
  for (size_t j = 0; j < items.size(); ++j) {
    for (size_t i = 0; i < j; ++i) {
      const double value = dependence(items[i], items[j]);
      if (value > (found ? found->dependence : limit)) found = DependentFactors{items[i].name, items[j].name, value};
    }
  }
  return found;
}

}  // namespace orthant::disentangle
