#include "orthant/index/segment.h"

#include <algorithm>
#include <cmath>

#include "orthant/core/error.h"
#include "orthant/core/threads.h"
#include "orthant/index/checksum.h"

namespace orthant::index {
namespace {

template <class T>
std::span<const T> as(std::span<const std::byte> bytes, size_t& at, size_t count) {
  const auto* first = reinterpret_cast<const T*>(bytes.subspan(at, count * sizeof(T)).data());
  at += count * sizeof(T);
  return {first, count};
}

}  // namespace

Segment::Segment(std::span<const std::byte> file, const Directory& directory, const SegmentEntry& entry,
                 std::string name)
    : file_(file), directory_(&directory), entry_(&entry), name_(std::move(name)) {
  const size_t parts = kParts + 2 * entry.windows.size();
  seen_ = std::make_unique<std::atomic<uint8_t>[]>(parts);
  if (directory.values != Values::f32) steps_ = array<float>(entry.steps, kSteps, "steps");
}

std::span<const std::byte> Segment::section(const Section& section, std::atomic<uint8_t>& seen,
                                            const char* what) const {
  const auto bytes = file_.subspan(static_cast<size_t>(section.begin), static_cast<size_t>(section.bytes));
  if (seen.load(std::memory_order_relaxed) == 0) {
    check_io(checksum(bytes) == section.sum, "[", name_, "] expected intact ", what, ", got damaged ones at bytes ",
             section.begin, " to ", section.begin + section.bytes);
    seen.store(1, std::memory_order_relaxed);
  }
  return bytes;
}

template <class T>
std::span<const T> Segment::array(const Section& place, Part part, const char* what) const {
  size_t at = 0;
  return as<T>(section(place, seen_[part], what), at, static_cast<size_t>(place.bytes) / sizeof(T));
}

std::span<const float> Segment::tops() const { return array<float>(entry_->tops, kTops, "largest values"); }
std::span<const float> Segment::steps() const { return steps_; }

std::span<const uint8_t> Segment::bounds(int64_t feature) const {
  const auto blocks = static_cast<size_t>(entry_->blocks());
  return array<uint8_t>(entry_->bounds, kBounds, "bounds").subspan(static_cast<size_t>(feature) * blocks, blocks);
}

Lists Segment::lists(int64_t window) const {
  const auto w = static_cast<size_t>(window);
  const WindowEntry& entry = entry_->windows[w];
  const auto bytes = section(entry.lists, seen_[kParts + 2 * w], "lists");
  const auto entries = static_cast<size_t>(entry.entries);
  size_t at = 0;
  Lists lists;
  lists.blocks = entry_->blocks_in(window);
  lists.starts = as<uint32_t>(bytes, at, static_cast<size_t>(features()) + 1);
  lists.offsets = as<uint16_t>(bytes, at, static_cast<size_t>(features() * lists.blocks));
  at = (at + 3) / 4 * 4;
  lists.postings = as<Posting>(bytes, at, entries);
  return lists;
}

Rows Segment::rows(int64_t window) const {
  const auto w = static_cast<size_t>(window);
  const WindowEntry& entry = entry_->windows[w];
  std::atomic<uint8_t>& seen = seen_[kParts + 2 * w + 1];
  const bool looked_through = seen.load(std::memory_order_relaxed) == 2;  // 1: only its sum was compared
  const auto bytes = section(entry.rows, seen, "rows");
  const auto count = static_cast<size_t>(entry_->rows_in(window));
  const auto entries = static_cast<size_t>(entry.entries);
  size_t at = 0;
  Rows rows;
  rows.entries = entry.entries;
  rows.starts = as<uint32_t>(bytes, at, count + 1);
  rows.items = as<uint32_t>(bytes, at, count);
  rows.scales = as<float>(bytes, at, count);
  if (directory_->column_bytes() == 2) {
    rows.narrow = as<uint16_t>(bytes, at, entries).data();
  } else {
    rows.wide = as<uint32_t>(bytes, at, entries).data();
  }
  at = (at + 3) / 4 * 4;
  if (directory_->values == Values::f32) {
    rows.floats = as<float>(bytes, at, entries).data();
  } else if (directory_->values == Values::u16) {
    rows.shorts = as<uint16_t>(bytes, at, entries).data();
  } else {
    rows.bytes = as<uint8_t>(bytes, at, entries).data();
  }
  // Columns of 16 bits cannot lead a kernel out of its table of 65,536; others could.
  if (!looked_through && rows.wide != nullptr && entries > 0) {
    const uint32_t most = *std::max_element(rows.wide, rows.wide + entries);
    check_io(most < static_cast<uint64_t>(features()), "[", name_, "] expected columns below ", features(), ", got ",
             most);
  }
  if (!looked_through) seen.store(2, std::memory_order_relaxed);
  return rows;
}

std::span<const uint64_t> Segment::gone() const { return array<uint64_t>(entry_->gone, kGone, "removed positions"); }

int64_t Segment::position(int64_t item) const {
  const uint32_t at = array<uint32_t>(entry_->positions, kPositions, "positions")[static_cast<size_t>(item)];
  check_io(at < static_cast<uint64_t>(items()), "[", name_, "] expected positions below ", items(), ", got ", at);
  return at;
}

int64_t Segment::item(int64_t position) const {
  const uint32_t item = rows(position / entry_->window_rows).items[static_cast<size_t>(position % entry_->window_rows)];
  check_io(item < static_cast<uint64_t>(items()), "[", name_, "] expected items below ", items(), ", got ", item);
  return item;
}

int64_t Segment::label(int64_t item) const {
  if (entry_->labels.bytes == 0) return -1;
  const int32_t label = array<int32_t>(entry_->labels, kLabels, "labels")[static_cast<size_t>(item)];
  return label < std::ssize(directory_->class_names) ? std::max(label, -1) : -1;
}

std::string_view Segment::id(int64_t item) const {
  const auto ends = array<int64_t>(entry_->id_ends, kIdEnds, "ends of ids");
  const auto bytes = array<char>(entry_->id_bytes, kIdBytes, "ids");
  const auto i = static_cast<size_t>(item);
  const int64_t begin = i == 0 ? 0 : ends[i - 1];
  const int64_t end = ends[i];
  check_io(begin >= 0 && begin <= end && end <= std::ssize(bytes), "[", name_, "] expected ids within ", bytes.size(),
           " bytes, got ", begin, " to ", end);
  return {bytes.data() + begin, static_cast<size_t>(end - begin)};
}

bool Segment::removed(int64_t position) const {
  const auto bits = gone();
  return !bits.empty() && ((bits[static_cast<size_t>(position / 64)] >> (position % 64)) & 1) != 0;
}

float Segment::value_at(int64_t position, int64_t feature) const {
  const Rows part = rows(position / entry_->window_rows);
  const auto range = part.range(position % entry_->window_rows);
  const int64_t begin = range.first;
  const int64_t end = range.second;
  const auto find = [&](const auto* columns) {
    const auto* const found = std::lower_bound(columns + begin, columns + end, feature);
    return found != columns + end && *found == feature ? value(part, found - columns, feature) : 0.0F;
  };
  return part.narrow != nullptr ? find(part.narrow) : find(part.wide);
}

void Segment::verify(int threads) const {
  tops();
  bounds(0);
  gone();
  const auto numbers = [&](std::span<const float> all, const char* what) {
    check_io(std::ranges::all_of(all, [](float x) { return std::isfinite(x) && x >= 0; }), "[", name_,
             "] expected finite ", what, ", got others");
  };
  numbers(tops(), "largest values");
  numbers(steps(), "steps");
  parallel_for(entry_->window_count(), 1, threads, [&](int64_t w, int64_t) {
    const Lists part = lists(w);
    for (int64_t j = 0; j < features(); ++j) {
      check_io(part.starts[static_cast<size_t>(j)] <= part.starts[static_cast<size_t>(j) + 1], "[", name_,
               "] expected lists one behind the other, got others in window ", w);
      int64_t before = -1;
      int64_t in_blocks = 0;
      for (const auto [place, level] : part.of(j)) {
        check_io(place > before && place < entry_->rows_in(w), "[", name_, "] expected rising places in lists, got ",
                 place, " after ", before);
        before = place;
      }
      for (int64_t b = 0; b < part.blocks; ++b) {
        const List list = part.of(j, b, b + 1);
        check_io(list.empty() ||
                     (list.front().place / entry_->block_rows == b && list.back().place / entry_->block_rows == b),
                 "[", name_, "] expected lists of block ", b, " in window ", w, ", got another's");
        in_blocks += std::ssize(list);
      }
      check_io(in_blocks == std::ssize(part.of(j)), "[", name_, "] expected list ", j, " of window ", w,
               " in its blocks, got ", in_blocks, " of its ", part.of(j).size(), " entries");
    }
    check_io(part.starts.front() == 0 && part.starts.back() == part.postings.size(), "[", name_,
             "] expected lists that fill window ", w, ", got others");
    const Rows all = rows(w);
    check_io(all.starts.front() == 0 && all.starts.back() == all.entries && std::ranges::is_sorted(all.starts), "[",
             name_, "] expected rows that fill window ", w, ", got others");
    for (int64_t place = 0; place < all.count(); ++place) {
      const int64_t at = w * entry_->window_rows + place;
      check_io(position(item(at)) == at, "[", name_, "] expected the item at position ", at,
               " to be there, got another");
      int64_t before = -1;
      int64_t seen = 0;
      visit_row(at, [&](int64_t column, float x) {
        check_io(column > before && std::isfinite(x) && x >= 0, "[", name_,
                 "] expected rising columns and finite values, got column ", column, " after ", before, " in row ", at);
        before = column;
        ++seen;
      });
      const auto [begin, end] = all.range(place);
      check_io(seen == end - begin, "[", name_, "] expected columns below ", features(), " in row ", at,
               ", got others");
    }
  });
  for (int64_t i = 0; i < items(); ++i) {
    static_cast<void>(id(i));
    static_cast<void>(label(i));
  }
}

}  // namespace orthant::index
