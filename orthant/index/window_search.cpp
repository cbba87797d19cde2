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

void fetch(List list) {
  constexpr size_t kLine = 64 / sizeof(Posting);
  for (size_t n = 0; n < list.size(); n += kLine) __builtin_prefetch(list.data() + n);
}

const Posting* end_of(const Lists& lists) { return lists.postings.data() + lists.postings.size(); }

// What a thread works with, kept from query to query because clearing it all would take longer than a search.
struct Scratch {
  std::vector<float> scores = std::vector<float>(kPlaces + 16);
  std::vector<List> lists;  // of the query's features
};

Scratch& scratch() {
  thread_local Scratch mine;
  return mine;
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

int64_t WindowSearch::add_up(std::span<const List> lists, const Posting* end, int64_t place, int64_t rows) const {
  const std::vector<float>& weights = query_.part(number_).lists;
  float* const scores = scratch().scores.data();
  std::memset(scores + place, 0, static_cast<size_t>(rows) * sizeof(float));
  int64_t entries = 0;
  for (size_t n = 0; n < lists.size(); ++n) {
    if (n + kAhead < lists.size()) fetch(lists[n + kAhead]);
    const List list = lists[n];
    const int64_t count = std::ssize(list);
    if (count == rows && list.front().place == place && list.back().place == place + rows - 1) {
      add_dense(list, weights[n], scores + place);
    } else {
      add_list(list, end, weights[n], scores);
    }
    entries += count;
  }
  return entries;
}

// Rows of the window from `place` to `end` - 1; `first` is the position of its first one.
void WindowSearch::offer_above(int64_t place, int64_t end, int64_t first, std::span<const float> bounds,
                               Shortlist& list) const {
  float* const scores = scratch().scores.data();
  std::fill(scores + end, scores + end + 16, -Shortlist::kInfinity);
  const int64_t block_rows = segment_.entry().block_rows;
  for (; place < end; ++place) {
    // The kernel looks for what is above, and what reaches the threshold is wanted.
    const float below = std::nextafter(list.threshold(), -Shortlist::kInfinity);
    place = search::find_above(scores, place, end, below);
    if (place == end) break;
    const bool offered =
        !bounds.empty() && bounds[static_cast<size_t>((first + place) / block_rows)] == -Shortlist::kInfinity;
    if (!offered) offer(scores[place], first + place, list);
  }
}

void WindowSearch::blocks(int64_t begin, int64_t end, Shortlist& list, Work& work) const {
  const SegmentEntry& entry = segment_.entry();
  const int64_t in_window = entry.window_rows / entry.block_rows;
  const int64_t w = begin / in_window;
  const Lists lists = segment_.lists(w);
  std::vector<List>& parts = scratch().lists;
  parts.clear();
  for (const int64_t column : query_.part(number_).columns) {
    parts.push_back(lists.of(column, begin - w * in_window, end - w * in_window));
    __builtin_prefetch(parts.back().data());
  }
  const int64_t first = w * entry.window_rows;
  const int64_t place = begin * entry.block_rows - first;
  const int64_t last = std::min(end * entry.block_rows - first, entry.rows_in(w));
  work.postings += add_up(parts, end_of(lists), place, last - place);
  work.blocks += end - begin;
  offer_above(place, last, first, {}, list);
}

void WindowSearch::window(int64_t w, std::span<const float> bounds, Shortlist& list, Work& work) const {
  const SegmentEntry& entry = segment_.entry();
  const int64_t in_window = entry.window_rows / entry.block_rows;
  const int64_t begin = w * in_window;
  const int64_t end = std::min(begin + in_window, entry.blocks());
  const auto offered = [&](int64_t b) { return bounds[static_cast<size_t>(b)] == -Shortlist::kInfinity; };
  const auto alive = [&](int64_t b) {
    return !offered(b) && bounds[static_cast<size_t>(b)] >= list.threshold() && any(b);
  };
  int64_t left = 0;
  int64_t ruled_out = 0;
  for (int64_t b = begin; b < end; ++b) {
    left += alive(b) ? 1 : 0;
    ruled_out += !alive(b) && !offered(b) ? 1 : 0;
  }
  if (left == 0) {
    work.passed_by += ruled_out;
    return;
  }
  const Lists lists = segment_.lists(w);
  const std::vector<int64_t>& columns = query_.part(number_).columns;
  std::vector<List>& whole = scratch().lists;
  whole.clear();
  int64_t postings = 0;
  for (const int64_t column : columns) {
    whole.push_back(lists.of(column));
    postings += std::ssize(whole.back());
  }
  const int64_t rows = entry.rows_in(w);
  const int64_t more_lists = kListOverhead * std::ssize(columns) * (left - 1);
  const int64_t fewer_entries = (postings + rows / kRowsAnEntry) * (end - begin - left) / (end - begin);
  if (more_lists < fewer_entries) {
    for (int64_t b = begin; b < end; ++b) {
      if (alive(b)) {
        blocks(b, b + 1, list, work);
      } else if (!offered(b)) {
        ++work.passed_by;
      }
    }
    return;
  }
  work.postings += add_up(whole, end_of(lists), 0, rows);
  ++work.windows;
  offer_above(0, rows, w * entry.window_rows, bounds, list);
}

}  // namespace orthant::index
