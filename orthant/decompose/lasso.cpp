#include "orthant/decompose/lasso.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "orthant/core/error.h"

namespace orthant::decompose {
namespace {

constexpr int64_t kMostSweeps = 10000;
constexpr size_t kFewEntering = 4;
constexpr double kPathStep = 0.7;
constexpr double kPathRatio = 0.999;  // lambda of solve_active() is known this well

}  // namespace

NonNegativeLasso::NonNegativeLasso(const Matrix& gram)
    : gram_(gram), gradient_(static_cast<size_t>(gram.rows())), member_(static_cast<size_t>(gram.rows())) {
  check(gram.rows() == gram.cols(), "[NonNegativeLasso] expected a square matrix, got ", gram.rows(), " x ",
        gram.cols());
}

void NonNegativeLasso::start(std::span<const float> products, int32_t without) {
  check(std::ssize(products) == gram_.rows(), "[NonNegativeLasso] expected ", gram_.rows(), " products, got ",
        products.size());
  products_ = products;
  for (const int32_t word : set_) member_[static_cast<size_t>(word)] = 0;
  if (without_ >= 0) member_[static_cast<size_t>(without_)] = 0;
  without_ = without;
  if (without_ >= 0) member_[static_cast<size_t>(without_)] = 1;  // never admitted
  set_.clear();
  weights_.clear();
  std::ranges::copy(products, gradient_.begin());
}

// Of the words that break the rule, the strongest come in: about half as many as there are, so that the set stays small
// and few rounds are needed. False if there is none.
bool NonNegativeLasso::admit(double threshold) {
  entering_.clear();
  const auto limit = static_cast<float>(threshold + kTolerance);
  for (size_t j = 0; j < gradient_.size(); ++j) {
    if (gradient_[j] > limit && !member_[j]) entering_.push_back(static_cast<int32_t>(j));
  }
  if (entering_.empty()) return false;
  const size_t most = std::min(entering_.size(), std::max(kFewEntering, set_.size() / 2));
  const auto stronger = [&](int32_t a, int32_t b) {
    const float x = gradient_[static_cast<size_t>(a)];
    const float y = gradient_[static_cast<size_t>(b)];
    return x != y ? x > y : a < b;
  };
  std::ranges::partial_sort(entering_, entering_.begin() + static_cast<std::ptrdiff_t>(most), stronger);
  entering_.resize(most);
  for (const int32_t word : entering_) {
    member_[static_cast<size_t>(word)] = 1;
    set_.push_back(word);
    weights_.push_back(0);
  }
  const size_t size = set_.size();
  size_t known = size - entering_.size();
  if (size > capacity_) {
    capacity_ = std::max<size_t>(2 * size, 32);
    block_.resize(capacity_ * capacity_);
    known = 0;
  }
  for (size_t a = 0; a < size; ++a) {
    const auto row = gram_.row(set_[a]);
    for (size_t b = a < known ? known : 0; b < size; ++b) {
      block_[a * capacity_ + b] = row[static_cast<size_t>(set_[b])];
    }
  }
  return true;
}

// Coordinate descent within the set until no weight moves by the tolerance.
void NonNegativeLasso::descend(double threshold) {
  const size_t size = set_.size();
  inner_.resize(size);
  for (size_t a = 0; a < size; ++a) {
    double sum = products_[static_cast<size_t>(set_[a])];
    for (size_t b = 0; b < size; ++b) sum -= block_[a * capacity_ + b] * weights_[b];
    inner_[a] = sum;
  }
  for (int64_t sweep = 0; sweep < kMostSweeps; ++sweep) {
    double moved = 0;
    for (size_t a = 0; a < size; ++a) {
      const double* const row = block_.data() + a * capacity_;
      const double next = std::max(0.0, weights_[a] + (inner_[a] - threshold) / row[a]);
      const double step = next - weights_[a];
      if (step == 0) continue;
      weights_[a] = next;
      for (size_t b = 0; b < size; ++b) inner_[b] -= step * row[b];
      moved = std::max(moved, std::abs(step));
    }
    if (moved < kTolerance / 10) return;
  }
}

// The gradient of all words.
void NonNegativeLasso::take_off() {
  std::ranges::copy(products_, gradient_.begin());
  for (size_t a = 0; a < set_.size(); ++a) {
    if (weights_[a] == 0) continue;
    const float* const row = gram_.row(set_[a]).data();
    const auto weight = static_cast<float>(weights_[a]);
    float* const out = gradient_.data();
    for (size_t j = 0; j < gradient_.size(); ++j) out[j] -= weight * row[j];
  }
}

void NonNegativeLasso::solve(double lambda) {
  check(lambda > 0, "[NonNegativeLasso] expected lambda above 0, got ", lambda);
  const double threshold = lambda / 2;
  if (!set_.empty()) {
    descend(threshold);
    take_off();
  }
  while (admit(threshold)) {
    descend(threshold);
    take_off();
  }
}

double NonNegativeLasso::solve_active(int64_t active) {
  check(active > 0, "[NonNegativeLasso] expected at least one active word, got ", active);
  const float strongest = *std::ranges::max_element(products_);
  double above = 2.0 * std::max(strongest, 0.0F);  // here the code is zero
  if (above <= 2 * kTolerance) return above;
  std::vector<double> best;  // the set only grows: these are the weights of how it begins
  double below = above;
  // Down until too many are on, then in between.
  for (;;) {
    below = above * kPathStep;
    if (below < 4 * kTolerance) break;
    solve(below);
    if (this->active() > active) break;
    best = weights_;
    above = below;
  }
  while (below < above * kPathRatio && below >= 4 * kTolerance) {
    const double middle = std::sqrt(above * below);
    solve(middle);
    if (this->active() > active) {
      below = middle;
    } else {
      best = weights_;
      above = middle;
    }
  }
  best.resize(weights_.size());
  weights_ = std::move(best);
  return above;
}

int64_t NonNegativeLasso::active() const {
  return std::ranges::count_if(weights_, [](double weight) { return weight > 0; });
}

NonNegativeLasso::Code NonNegativeLasso::code() const {
  std::vector<size_t> order(set_.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](size_t a) { return set_[a]; });
  Code code;
  for (const size_t a : order) {
    const auto weight = static_cast<float>(weights_[a]);
    if (weight <= 0) continue;
    code.words.push_back(set_[a]);
    code.weights.push_back(weight);
  }
  return code;
}

}  // namespace orthant::decompose
