#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace orthant::index {

// The rows that may be among the k best of a query, while scores are known to within `margin` only. Grows as rows are
// offered; what cannot be among the best any more is dropped from time to time.
class Shortlist {
 public:
  struct Candidate {
    float score;
    int32_t segment;
    int32_t position;
  };

  // With `positive` only scores above 0 are taken.
  Shortlist(int64_t k, float margin, bool positive)
      : k_(static_cast<size_t>(k)), margin_(margin), least_(positive ? kTiny : -kInfinity) {}

  // A row whose score is below this cannot be among the best.
  float threshold() const { return least_; }

  // Takes over what another list has found out.
  void raise(float threshold) { least_ = std::max(least_, threshold); }

  // True once k rows were offered.
  bool full() const { return best_.size() == k_; }

  void offer(float score, int64_t segment, int64_t position) {
    if (!(score >= least_)) return;
    candidates_.push_back({score, static_cast<int32_t>(segment), static_cast<int32_t>(position)});
    if (best_.size() == k_) {
      if (score <= best_.front()) return;
      std::ranges::pop_heap(best_, std::greater());
      best_.back() = score;
    } else {
      best_.push_back(score);
    }
    std::ranges::push_heap(best_, std::greater());
    if (best_.size() == k_) least_ = std::max(least_, best_.front() - 2 * margin_);
    if (candidates_.size() > limit_) {
      drop(least_);
      limit_ = std::max(limit_, 2 * candidates_.size());
    }
  }

  std::span<const float> best() const { return best_; }

  // Those that reach the threshold.
  const std::vector<Candidate>& left(float threshold) {
    drop(threshold);
    return candidates_;
  }

  static constexpr float kTiny = std::numeric_limits<float>::denorm_min();
  static constexpr float kInfinity = std::numeric_limits<float>::infinity();

 private:
  void drop(float threshold) {
    std::erase_if(candidates_, [&](const Candidate& one) { return one.score < threshold; });
  }

  size_t k_;
  float margin_;
  float least_;
  size_t limit_ = 4096;
  std::vector<float> best_;  // the k largest scores, smallest first
  std::vector<Candidate> candidates_;
};

}  // namespace orthant::index
