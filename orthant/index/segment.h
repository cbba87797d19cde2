#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orthant/index/directory.h"

namespace orthant::index {

// A row in which a feature is not zero: its place in the window, and the value as a level from 1 to 65,535, in steps of
// the feature's top / 65,535.
struct Posting {
  uint16_t place;
  uint16_t level;
};
using List = std::span<const Posting>;

// The inverted lists of a window, one for each feature, by rising place.
struct Lists {
  std::span<const uint32_t> starts;   // [D + 1]
  std::span<const uint16_t> offsets;  // [D, blocks] where in list j each block of the window begins
  List postings;
  int64_t blocks = 0;

  // Within the bytes, whatever they say.
  List of(int64_t feature) const {
    const auto j = static_cast<size_t>(feature);
    return between(starts[j], starts[j + 1]);
  }
  // The part of it that belongs to blocks begin to end - 1 of the window.
  List of(int64_t feature, int64_t begin, int64_t end) const {
    const auto j = static_cast<size_t>(feature);
    const uint16_t* const in_list = offsets.data() + feature * blocks;
    return between(size_t{starts[j]} + in_list[begin],
                   end < blocks ? size_t{starts[j]} + in_list[end] : size_t{starts[j + 1]});
  }

 private:
  List between(size_t begin, size_t end) const {
    end = std::min(end, postings.size());
    begin = std::min(begin, end);
    return postings.subspan(begin, end - begin);
  }
};

// The rows of a window as they were given, by column. One of the two kinds of columns, and of the three kinds of
// values, is there.
struct Rows {
  std::span<const uint32_t> starts;  // [rows + 1]
  std::span<const uint32_t> items;   // [rows] which item of the segment it is
  std::span<const float> scales;     // [rows] 1 / length for cosine, else 1; 0 for a row of zeros
  int64_t entries = 0;
  const uint16_t* narrow = nullptr;
  const uint32_t* wide = nullptr;
  const float* floats = nullptr;
  const uint16_t* shorts = nullptr;
  const uint8_t* bytes = nullptr;

  int64_t count() const { return static_cast<int64_t>(items.size()); }
  // Where row `place` begins and ends among the entries; within the bytes, whatever they say.
  std::pair<int64_t, int64_t> range(int64_t place) const {
    const auto i = static_cast<size_t>(place);
    const int64_t end = std::min<int64_t>(starts[i + 1], entries);
    return {std::min<int64_t>(starts[i], end), end};
  }
};

// One segment of a mapped index. Each part is compared with its checksum, and looked through, when it is asked for the
// first time: IoError if it is damaged. Safe from several threads.
class Segment {
 public:
  Segment(std::span<const std::byte> file, const Directory& directory, const SegmentEntry& entry, std::string name);

  const SegmentEntry& entry() const { return *entry_; }
  int64_t items() const { return entry_->items; }
  int64_t live() const { return entry_->items - entry_->removed; }
  int64_t features() const { return directory_->features; }

  std::span<const float> tops() const;
  std::span<const float> steps() const;  // empty for f32
  std::span<const uint8_t> bounds(int64_t feature) const;
  Lists lists(int64_t window) const;
  Rows rows(int64_t window) const;
  std::span<const uint64_t> gone() const;  // empty: none

  int64_t position(int64_t item) const;
  int64_t item(int64_t position) const;
  int64_t label(int64_t item) const;  // -1: none
  std::string_view id(int64_t item) const;
  bool removed(int64_t position) const;

  // Calls visit(column, value) for the entries of the row at `position`, by rising column.
  template <class Visitor>
  void visit_row(int64_t position, Visitor&& visit) const {
    const Rows part = rows(position / entry_->window_rows);
    const auto [begin, end] = part.range(position % entry_->window_rows);
    for (int64_t n = begin; n < end; ++n) {
      const int64_t column = part.narrow != nullptr ? int64_t{part.narrow[n]} : int64_t{part.wide[n]};
      if (column < features()) visit(column, value(part, n, column));
    }
  }
  // The value of one feature of the row at `position`; 0 if it has none.
  float value_at(int64_t position, int64_t feature) const;

  // All of it. IoError for the first part that is damaged.
  void verify(int threads) const;

 private:
  enum Part { kTops, kSteps, kBounds, kPositions, kLabels, kIdEnds, kIdBytes, kGone, kParts };

  float value(const Rows& part, int64_t n, int64_t column) const {
    if (part.floats != nullptr) return part.floats[n];
    const auto level = static_cast<float>(part.shorts != nullptr ? part.shorts[n] : part.bytes[n]);
    return level * steps_[static_cast<size_t>(column)];
  }
  std::span<const std::byte> section(const Section& section, std::atomic<uint8_t>& seen, const char* what) const;
  template <class T>
  std::span<const T> array(const Section& section, Part part, const char* what) const;

  std::span<const std::byte> file_;
  const Directory* directory_;
  const SegmentEntry* entry_;
  std::string name_;
  std::span<const float> steps_;
  std::unique_ptr<std::atomic<uint8_t>[]> seen_;  // 1: compared; parts, then lists and rows of each window
};

}  // namespace orthant::index
