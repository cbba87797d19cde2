#include "orthant/adapt/strongest.h"

#include <algorithm>
#include <bit>
#include <functional>

#include "orthant/adapt/floats.h"
#include "orthant/adapt/kernels.h"

namespace orthant::adapt {
namespace {

// Positive floats are ordered as their bits are.
uint64_t key_of(int32_t feature, float value) {
  return uint64_t{std::bit_cast<uint32_t>(value)} << 32 | (UINT32_MAX - static_cast<uint32_t>(feature));
}

Hit hit_of(uint64_t key) {
  return {static_cast<int32_t>(UINT32_MAX - static_cast<uint32_t>(key)),
          std::bit_cast<float>(static_cast<uint32_t>(key >> 32))};
}

}  // namespace

Strongest::Strongest(int64_t features)
    : features_(features), found_(static_cast<size_t>(features + kLane)), sums_(static_cast<size_t>(features + kLane)) {
  keys_.reserve(static_cast<size_t>(features));
}

// Leaves the largest `count` of the hits in front of keys_, and returns how many there are.
int64_t Strongest::take(int64_t hits, int64_t count) {
  keys_.clear();
  for (int64_t n = 0; n < hits; ++n) {
    keys_.push_back(key_of(found_[static_cast<size_t>(n)], sums_[static_cast<size_t>(n)]));
  }
  if (hits <= count) return hits;
  std::ranges::nth_element(keys_, keys_.begin() + count, std::greater());
  return count;
}

int64_t Strongest::find(const float* values, const float* bias, int64_t count, int64_t first, std::vector<Hit>& out) {
  constexpr float kMargin = 0.9F;  // of the last row's threshold: most rows pass at the first attempt
  int64_t hits = adapt::find_above(values, bias, features_, guess_, found_.data(), sums_.data());
  if (hits < count && guess_ > 0) {
    hits = adapt::find_above(values, bias, features_, 0, found_.data(), sums_.data());
  }
  const int64_t taken = take(hits, count);
  const auto begin = keys_.begin();
  guess_ = taken < count ? 0 : kMargin * hit_of(*std::min_element(begin, begin + taken)).value;
  const int64_t front = std::min(first, taken);
  if (front < taken) std::nth_element(begin, begin + front, begin + taken, std::greater());
  const auto by_feature = [](uint64_t a, uint64_t b) { return static_cast<uint32_t>(a) > static_cast<uint32_t>(b); };
  std::sort(begin, begin + front, by_feature);
  std::sort(begin + front, begin + taken, by_feature);
  for (int64_t n = 0; n < taken; ++n) out.push_back(hit_of(keys_[static_cast<size_t>(n)]));
  return front;
}

void Strongest::find_among(const std::vector<int32_t>& list, const float* values, const float* bias, int64_t count,
                           std::vector<Hit>& out) {
  int64_t hits = 0;
  for (const int32_t feature : list) {
    const float sum = values[feature] + bias[feature];
    if (!(sum > 0)) continue;
    found_[static_cast<size_t>(hits)] = feature;
    sums_[static_cast<size_t>(hits++)] = sum;
  }
  const int64_t taken = take(hits, count);
  const size_t before = out.size();
  for (int64_t n = 0; n < taken; ++n) out.push_back(hit_of(keys_[static_cast<size_t>(n)]));
  std::sort(out.begin() + static_cast<int64_t>(before), out.end(),
            [](const Hit& a, const Hit& b) { return a.feature < b.feature; });
}

void Strongest::find_all(const float* values, const float* bias, float threshold, std::vector<Hit>& out) {
  const int64_t hits = adapt::find_above(values, bias, features_, threshold, found_.data(), sums_.data());
  for (int64_t n = 0; n < hits; ++n) {
    out.push_back({found_[static_cast<size_t>(n)], sums_[static_cast<size_t>(n)]});
  }
}

}  // namespace orthant::adapt
