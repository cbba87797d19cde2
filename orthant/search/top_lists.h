#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace orthant::search {

// A row of the bank as one query sees it. Ranks before another if its score is larger, or equal and its index lower.
struct Candidate {
  float score;
  int32_t index;

  bool before(const Candidate& other) const {
    return score > other.score || (score == other.score && index < other.index);
  }
};

// The k best candidates of each of Q queries, growing while a search offers rows. Lists of different queries may be
// offered to by different threads.
class TopLists {
 public:
  TopLists(int64_t queries, int64_t k, bool exclude_self)
      : k_(k),
        exclude_self_(exclude_self),
        sizes_(static_cast<size_t>(queries)),
        thresholds_(static_cast<size_t>(queries), -std::numeric_limits<float>::infinity()),
        heaps_(static_cast<size_t>(queries * k)) {}

  // [Q] the score that a row must exceed to enter a list, if rows are offered in the order of their indices.
  const float* thresholds() const { return thresholds_.data(); }

  void offer(int64_t query, float score, int64_t index) {
    if (exclude_self_ && query == index) return;
    const auto q = static_cast<size_t>(query);
    const auto heap = heaps_.begin() + query * k_;
    int64_t& size = sizes_[q];
    const Candidate candidate{score, static_cast<int32_t>(index)};
    constexpr auto before = [](const Candidate& a, const Candidate& b) { return a.before(b); };
    if (size == k_) {
      if (!candidate.before(*heap)) return;
      std::pop_heap(heap, heap + k_, before);
      heap[k_ - 1] = candidate;
    } else {
      heap[size++] = candidate;
    }
    std::push_heap(heap, heap + size, before);
    if (size == k_) thresholds_[q] = heap->score;
  }

  // What the list holds so far, in no particular order.
  std::span<Candidate> list(int64_t query) {
    return std::span(heaps_).subspan(static_cast<size_t>(query * k_),
                                     static_cast<size_t>(sizes_[static_cast<size_t>(query)]));
  }

 private:
  int64_t k_;
  bool exclude_self_;
  std::vector<int64_t> sizes_;
  std::vector<float> thresholds_;
  std::vector<Candidate> heaps_;  // [Q, k], the worst of each list first
};

}  // namespace orthant::search
