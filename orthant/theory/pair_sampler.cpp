#include "orthant/theory/pair_sampler.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "orthant/core/error.h"

namespace orthant::theory {
namespace {

constexpr uint16_t kPairStream = 0xff02;

std::vector<double> column(const Matrix64& matrix, int64_t j) {
  std::vector<double> values(static_cast<size_t>(matrix.rows()));
  for (int64_t i = 0; i < matrix.rows(); ++i) values[static_cast<size_t>(i)] = matrix(i, j);
  return values;
}

}  // namespace

AliasTable::AliasTable(std::span<const double> weights) : keep_(weights.size(), 1.0), alias_(weights.size()) {
  double sum = 0;
  for (const double weight : weights) {
    check(weight >= 0 && std::isfinite(weight), "[AliasTable] expected finite weights of 0 and up, got ", weight);
    sum += weight;
  }
  check(sum > 0 && std::isfinite(sum), "[AliasTable] expected a positive finite sum of weights, got ", sum);
  std::iota(alias_.begin(), alias_.end(), 0);
  std::vector<double> scaled(weights.begin(), weights.end());
  std::vector<size_t> small, large;
  for (size_t i = 0; i < scaled.size(); ++i) {
    scaled[i] *= static_cast<double>(scaled.size()) / sum;
    (scaled[i] < 1 ? small : large).push_back(i);
  }
  while (!small.empty() && !large.empty()) {
    const size_t low = small.back();
    const size_t high = large.back();
    small.pop_back();
    keep_[low] = scaled[low];
    alias_[low] = static_cast<int32_t>(high);
    scaled[high] -= 1 - scaled[low];
    if (scaled[high] < 1) {
      large.pop_back();
      small.push_back(high);
    }
  }
  // What is left in `small` owes its rest to rounding alone, unless its weight was zero: such a slot must never win.
  for (const size_t low : small) {
    if (weights[low] > 0) continue;
    keep_[low] = 0;
    alias_[low] = static_cast<int32_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
  }
}

PairSampler::PairSampler(const LatentClasses& world) : PairSampler(world, world) {}

PairSampler::PairSampler(const TwoModalities& worlds) : PairSampler(worlds.vision, worlds.language) {}

PairSampler::PairSampler(const LatentClasses& first, const LatentClasses& second) : classes_(first.prior) {
  for (int64_t c = 0; c < first.classes(); ++c) {
    first_.emplace_back(column(first.given_class, c));
    second_.emplace_back(column(second.given_class, c));
  }
}

Pair PairSampler::draw(Rng& rng) const {
  const auto c = static_cast<size_t>(classes_.draw(rng));
  const int32_t first = first_[c].draw(rng);
  return {first, second_[c].draw(rng)};
}

std::vector<Pair> PairSampler::draw(int64_t count, uint64_t seed) const {
  check(count >= 0, "[PairSampler] expected a count of 0 and up, got ", count);
  Rng rng({.seed = seed, .view = kPairStream});
  std::vector<Pair> pairs(static_cast<size_t>(count));
  for (Pair& pair : pairs) pair = draw(rng);
  return pairs;
}

EmpiricalCooccurrence empirical_cooccurrence(std::span<const Pair> pairs, int64_t samples) {
  EmpiricalCooccurrence result{Matrix64(samples, samples), std::vector<double>(static_cast<size_t>(samples), 0.0)};
  Matrix64& matrix = result.matrix;
  const double weight = pairs.empty() ? 0 : 0.5 / static_cast<double>(pairs.size());
  for (const auto& [a, b] : pairs) {
    check(a >= 0 && a < samples && b >= 0 && b < samples, "[empirical_cooccurrence] expected samples below ", samples,
          ", got the pair ", a, ", ", b);
    matrix(a, b) += weight;
    matrix(b, a) += weight;
    result.marginal[static_cast<size_t>(a)] += weight;
    result.marginal[static_cast<size_t>(b)] += weight;
  }
  for (int64_t i = 0; i < samples; ++i) {
    for (int64_t j = 0; j < samples; ++j) {
      if (matrix(i, j) == 0) continue;
      matrix(i, j) /= std::sqrt(result.marginal[static_cast<size_t>(i)] * result.marginal[static_cast<size_t>(j)]);
    }
  }
  return result;
}

}  // namespace orthant::theory
