#include "orthant/index/mask.h"

#include <bit>

namespace orthant::index {
namespace {

using query::Condition;
using query::Filter;
using Words = std::vector<uint64_t>;

void set(Words& words, int64_t position, bool on) {
  const uint64_t bit = uint64_t{1} << (position % 64);
  uint64_t& word = words[static_cast<size_t>(position / 64)];
  word = on ? word | bit : word & ~bit;
}

// Rows without the feature have 0; the others are in its lists.
Words on_feature(const Segment& segment, const Condition& condition) {
  Words words(static_cast<size_t>((segment.items() + 63) / 64), condition.holds(0.0F) ? ~uint64_t{0} : 0);
  for (int64_t w = 0; w < segment.entry().window_count(); ++w) {
    const int64_t first = w * segment.entry().window_rows;
    for (const auto [place, level] : segment.lists(w).of(condition.feature)) {
      if (place >= segment.entry().rows_in(w)) continue;
      set(words, first + place, condition.holds(segment.value_at(first + place, condition.feature)));
    }
  }
  return words;
}

Words on_item(const Segment& segment, const Condition& condition) {
  Words words(static_cast<size_t>((segment.items() + 63) / 64));
  const bool by_class = condition.kind == Condition::Kind::class_is || condition.kind == Condition::Kind::class_not;
  const bool wanted = condition.kind != Condition::Kind::class_not;
  for (int64_t i = 0; i < segment.items(); ++i) {
    const bool on = by_class ? (segment.label(i) == condition.label) == wanted : condition.holds(segment.id(i));
    if (on) set(words, segment.position(i), true);
  }
  return words;
}

Words rows_of(const Segment& segment, const Filter& filter) {
  std::vector<Words> stack;
  for (const int32_t step : filter.steps()) {
    if (step >= 0) {
      const Condition& condition = filter.conditions()[static_cast<size_t>(step)];
      stack.push_back(condition.on_feature() ? on_feature(segment, condition) : on_item(segment, condition));
    } else if (step == Filter::kNot) {
      for (uint64_t& word : stack.back()) word = ~word;
    } else {
      const Words right = std::move(stack.back());
      stack.pop_back();
      for (size_t n = 0; n < right.size(); ++n) {
        uint64_t& left = stack.back()[n];
        left = step == Filter::kAnd ? left & right[n] : left | right[n];
      }
    }
  }
  Words words = std::move(stack.back());
  if (segment.items() % 64 != 0) words.back() &= (uint64_t{1} << (segment.items() % 64)) - 1;
  return words;
}

}  // namespace

Mask::Mask(const Index& index, const Filter* filter) {
  for (const Segment& segment : index.segments()) {
    Words& words = words_.emplace_back();
    const auto gone = segment.gone();
    if (filter != nullptr) {
      words = rows_of(segment, *filter);
    } else if (!gone.empty()) {
      words.assign(gone.size(), ~uint64_t{0});
      if (segment.items() % 64 != 0) words.back() = (uint64_t{1} << (segment.items() % 64)) - 1;
    }
    for (size_t n = 0; n < gone.size(); ++n) words[n] &= ~gone[n];
    if (words.empty()) count_ += segment.items();
    for (const uint64_t word : words) count_ += std::popcount(word);
  }
}

}  // namespace orthant::index
