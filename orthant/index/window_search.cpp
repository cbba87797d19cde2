#include "orthant/index/window_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "orthant/index/kernels.h"
#include "orthant/search/kernels.h"

namespace orthant::index {
namespace {

constexpr size_t kPlaces = kMaxWindowRows;
constexpr size_t kAhead = 2;  // lists that are fetched while others are added up: they are short, and far apart

void fetch(const Lists::List& list) {
  constexpr size_t kLine = 64 / sizeof(uint16_t);
  for (size_t n = 0; n < list.places.size(); n += kLine) {
    __builtin_prefetch(list.places.data() + n);
    __builtin_prefetch(list.levels.data() + n);
  }
}

// What a thread works with, kept from query to query because clearing it all would take longer than a search.
struct Scratch {
  std::vector<float> scores = std::vector<float>(kPlaces + 16);
  std::vector<float> table = std::vector<float>(kPlaces);  // the query by feature, all zero between uses
};

Scratch& scratch() {
  thread_local Scratch mine;
  return mine;
}

// The query by feature, as long as it is needed.
class Table {
 public:
  Table(const Prepared::Part& part, int64_t features) : part_(part), table_(scratch().table) {
    if (std::ssize(table_) < features) table_.resize(static_cast<size_t>(features));
    for (size_t n = 0; n < part.columns.size(); ++n) table_[static_cast<size_t>(part.columns[n])] = part.rows[n];
  }
  ~Table() {
    for (const int64_t column : part_.columns) table_[static_cast<size_t>(column)] = 0;
  }
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;
  const float* data() const { return table_.data(); }

 private:
  const Prepared::Part& part_;
  std::vector<float>& table_;
};

template <class Column>
void score_block(const Rows& rows, const Column* columns, int64_t begin, int64_t end, const float* table,
                 float* scores) {
  const auto as = [&]<class Value>(const Value* values) {
    score_rows(RowsOf<Column, Value>{rows.starts.data(), rows.scales.data(), columns, values, rows.entries}, begin, end,
               table, scores);
  };
  if (rows.floats != nullptr) return as(rows.floats);
  rows.shorts != nullptr ? as(rows.shorts) : as(rows.bytes);
}

}  // namespace

WindowSearch::WindowSearch(const Segment& segment, int64_t number, const Prepared& query,
                           std::span<const uint64_t> words, int64_t without)
    : segment_(segment), number_(number), query_(query), words_(words), without_(without) {}

void WindowSearch::offer(float score, int64_t position, Shortlist& list) const {
  if (position != without_ && holds(words_, position)) list.offer(score, number_, position);
}

bool WindowSearch::any(int64_t block) const {
  if (words_.empty()) return true;
  const int64_t words = segment_.entry().block_rows / 64;
  const int64_t end = std::min((block + 1) * words, std::ssize(words_));
  for (int64_t n = block * words; n < end; ++n) {
    if (words_[static_cast<size_t>(n)] != 0) return true;
  }
  return false;
}

void WindowSearch::block(int64_t b, Shortlist& list, Work& work) const {
  const SegmentEntry& entry = segment_.entry();
  const int64_t first = b * entry.block_rows;
  const int64_t last = std::min(first + entry.block_rows, entry.items);
  const Rows rows = segment_.rows(first / entry.window_rows);
  const int64_t begin = first % entry.window_rows;
  const int64_t end = begin + (last - first);
  const Table table(query_.part(number_), segment_.features());
  float* const scores = scratch().scores.data();
  if (rows.narrow != nullptr) {
    score_block(rows, rows.narrow, begin, end, table.data(), scores);
  } else {
    score_block(rows, rows.wide, begin, end, table.data(), scores);
  }
  for (int64_t n = 0; n < last - first; ++n) {
    if (scores[n] >= list.threshold()) offer(scores[n], first + n, list);
  }
  ++work.blocks;
}

void WindowSearch::window(int64_t w, std::span<const float> bounds, Shortlist& list, Work& work) const {
  const SegmentEntry& entry = segment_.entry();
  const int64_t in_window = entry.window_rows / entry.block_rows;
  const int64_t first = w * in_window;
  const int64_t last = std::min(first + in_window, entry.blocks());
  const auto offered = [&](int64_t b) { return bounds[static_cast<size_t>(b)] == -Shortlist::kInfinity; };
  const auto alive = [&](int64_t b) {
    return !offered(b) && bounds[static_cast<size_t>(b)] >= list.threshold() && any(b);
  };
  int64_t left = 0;
  int64_t ruled_out = 0;
  for (int64_t b = first; b < last; ++b) {
    left += alive(b) ? 1 : 0;
    ruled_out += !alive(b) && !offered(b) ? 1 : 0;
  }
  if (left == 0) {
    work.passed_by += ruled_out;
    return;
  }
  const Lists lists = segment_.lists(w);
  int64_t postings = 0;
  for (const int64_t column : query_.part(number_).columns) postings += std::ssize(lists.of(column).places);
  const int64_t rows = entry.rows_in(w);
  const int64_t entries = entry.windows[static_cast<size_t>(w)].entries / rows + kRowOverhead;
  if (left * entry.block_rows * entries < postings + rows / kRowsAnEntry) {
    for (int64_t b = first; b < last; ++b) {
      if (alive(b)) {
        block(b, list, work);
      } else if (!offered(b)) {
        ++work.passed_by;
      }
    }
    return;
  }
  add_lists(w, bounds, list);
  ++work.windows;
  work.postings += postings;
}

void WindowSearch::add_lists(int64_t w, std::span<const float> bounds, Shortlist& list) const {
  const SegmentEntry& entry = segment_.entry();
  const Prepared::Part& part = query_.part(number_);
  const Lists lists = segment_.lists(w);
  const int64_t rows = entry.rows_in(w);
  float* const scores = scratch().scores.data();
  std::memset(scores, 0, static_cast<size_t>(rows) * sizeof(float));
  for (size_t n = 0; n < part.columns.size(); ++n) {
    if (n + kAhead < part.columns.size()) fetch(lists.of(part.columns[n + kAhead]));
    const auto [places, levels] = lists.of(part.columns[n]);
    const int64_t count = std::ssize(places);
    if (count == rows && places.front() == 0 && places.back() == rows - 1) {
      add_levels(levels.data(), count, part.lists[n], scores);
    } else {
      add_list(places.data(), levels.data(), count, part.lists[n], scores);
    }
  }
  std::fill(scores + rows, scores + rows + 16, -Shortlist::kInfinity);
  const int64_t first = w * entry.window_rows;
  for (int64_t place = 0; place < rows; ++place) {
    // The kernel looks for what is above, and what reaches the threshold is wanted.
    const float below = std::nextafter(list.threshold(), -Shortlist::kInfinity);
    place = search::find_above(scores, place, rows, below);
    if (place == rows) break;
    const bool offered = bounds[static_cast<size_t>((first + place) / entry.block_rows)] == -Shortlist::kInfinity;
    if (!offered) offer(scores[place], first + place, list);
  }
}

}  // namespace orthant::index
