#include "orthant/index/search.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <memory>

#include "orthant/core/error.h"
#include "orthant/core/threads.h"
#include "orthant/index/block_estimates.h"
#include "orthant/index/prepared.h"
#include "orthant/index/shortlist.h"
#include "orthant/index/window_search.h"
#include "orthant/search/kernels.h"

namespace orthant::index {
namespace {

constexpr int64_t kFirstBlocks = 8;     // at most, read before anything else, for a threshold to begin with
constexpr int64_t kShareBlocks = 128;   // of which one is read so
constexpr int64_t kThreadWindows = 16;  // that are worth waking another thread for
constexpr size_t kThreadBlocks = 64;    // likewise
constexpr int64_t kGroup = 16;         // queries that go through a window one after the other, while it is in the cache
constexpr int64_t kBoundGrain = 8192;  // blocks

// A block among those of all segments.
struct Place {
  size_t segment;
  int64_t block;
};

// One query on its way through the index.
class Task {
 public:
  Task(const Index& index, const Query& query, const Mask& mask, int64_t k)
      : index_(index), query_(query), mask_(mask), k_(k), prepared_(std::make_unique<const Prepared>(index, query)) {
    int64_t blocks = 0;
    for (size_t s = 0; s < index.segments().size(); ++s) {
      const Segment& segment = index.segments()[s];
      const bool here = query.itself && query.itself->segment == static_cast<int64_t>(s);
      const auto number = static_cast<int64_t>(s);
      if (!prepared_->empty()) {
        searches_.emplace_back(segment, number, *prepared_, mask.words(number),
                               here ? segment.position(query.itself->number) : -1);
      }
      first_.push_back(blocks);
      blocks += segment.entry().blocks();
    }
    first_.push_back(blocks);
  }

  const Prepared& prepared() const { return *prepared_; }
  Shortlist new_list(bool positive) const { return {k_, prepared_->margin(), positive}; }

  // Bounds of all blocks.
  void find_bounds(int threads) {
    bounds_.assign(static_cast<size_t>(first_.back()), 0);
    for (size_t s = 0; s < searches_.size(); ++s) {
      const int64_t blocks = first_[s + 1] - first_[s];
      parallel_for(blocks, kBoundGrain, threads, [&](int64_t begin, int64_t end) {
        prepared_->add_bounds(index_.segments()[s], static_cast<int64_t>(s), begin, end,
                              bounds_.data() + first_[s] + begin);
      });
    }
  }

  std::span<const float> bounds_of(size_t s) const {
    return std::span(bounds_).subspan(static_cast<size_t>(first_[s]), static_cast<size_t>(first_[s + 1] - first_[s]));
  }

  // The blocks with the largest bounds, by rising place.
  std::vector<int64_t> best_blocks(int64_t count) const {
    struct Entry {
      float bound;
      int64_t block;
      bool operator>(const Entry& other) const {
        return bound > other.bound || (bound == other.bound && block < other.block);
      }
    };
    std::vector<Entry> heap;
    const auto all = static_cast<int64_t>(bounds_.size());
    for (int64_t b = 0; b < all; ++b) {
      if (std::ssize(heap) == count) {
        const int64_t whole = all - 16;  // find_above() reads whole vectors
        if (b < whole) b = search::find_above(bounds_.data(), b, whole, heap.front().bound);
        if (!(bounds_[static_cast<size_t>(b)] > heap.front().bound)) continue;
        std::ranges::pop_heap(heap, std::greater());
        heap.back() = {bounds_[static_cast<size_t>(b)], b};
      } else {
        heap.push_back({bounds_[static_cast<size_t>(b)], b});
      }
      std::ranges::push_heap(heap, std::greater());
    }
    std::vector<int64_t> blocks;
    for (const Entry& entry : heap) blocks.push_back(entry.block);
    std::ranges::sort(blocks);
    return blocks;
  }

  // All rows of some blocks, by rising place.
  void read_blocks(std::span<const int64_t> blocks, Shortlist& list, Work& work) const {
    for (size_t n = 0; n < blocks.size();) {
      const Place place = place_of(blocks[n]);
      const SegmentEntry& entry = index_.segments()[place.segment].entry();
      const int64_t in_window = entry.window_rows / entry.block_rows;
      int64_t end = place.block;
      do {
        ++end;
        ++n;
      } while (n < blocks.size() && blocks[n] == first_[place.segment] + end && end % in_window != 0 &&
               blocks[n] < first_[place.segment + 1]);
      searches_[place.segment].blocks(place.block, end, list, work);
    }
  }

  // Reads the best blocks, so that there is a threshold, and marks them as done.
  void begin(Shortlist& list, Work& work) {
    const int64_t wanted = std::min(kFirstBlocks, 1 + first_.back() / kShareBlocks) + k_ / 32;
    const std::vector<int64_t> best = best_blocks(std::min(wanted, first_.back()));
    read_blocks(best, list, work);
    for (const int64_t block : best) bounds_[static_cast<size_t>(block)] = -Shortlist::kInfinity;
  }

  void window(size_t s, int64_t w, Shortlist& list, Work& work) const {
    searches_[s].window(w, bounds_of(s), list, work);
  }

  // The k best of the candidates, by scores in double precision.
  void rank(const std::vector<Shortlist::Candidate>& candidates, std::vector<Hit>& hits) const {
    for (const auto& one : candidates) {
      const Segment& segment = index_.segments()[static_cast<size_t>(one.segment)];
      hits.push_back({{one.segment, segment.item(one.position)}, prepared_->score(segment, one.position)});
    }
    cut(hits);
  }

  // The first items there are, for a query that shares no feature with any.
  std::vector<Hit> first_items() const {
    std::vector<Hit> hits;
    for (size_t s = 0; s < index_.segments().size(); ++s) {
      const Segment& segment = index_.segments()[s];
      for (int64_t i = 0; i < segment.items() && std::ssize(hits) < k_; ++i) {
        const Item item{static_cast<int64_t>(s), i};
        if (query_.itself != item && holds(mask_.words(item.segment), segment.position(i))) hits.push_back({item, 0});
      }
    }
    return hits;
  }

 private:
  Place place_of(int64_t block) const {
    const auto s = static_cast<size_t>(std::upper_bound(first_.begin(), first_.end(), block) - first_.begin()) - 1;
    return {s, block - first_[s]};
  }

  void cut(std::vector<Hit>& hits) const {
    const auto count = std::min(hits.size(), static_cast<size_t>(k_));
    std::ranges::partial_sort(hits, hits.begin() + static_cast<std::ptrdiff_t>(count), [](const Hit& a, const Hit& b) {
      return a.score > b.score || (a.score == b.score && a.item < b.item);
    });
    hits.resize(count);
  }

  const Index& index_;
  const Query& query_;
  const Mask& mask_;
  int64_t k_;
  std::unique_ptr<const Prepared> prepared_;
  std::vector<WindowSearch> searches_;  // one for each segment
  std::vector<int64_t> first_;          // [segments + 1] number of the first block
  std::vector<float> bounds_;           // by block
};

// Every window of every segment, in the order in which they are likely to raise the threshold.
std::vector<Place> windows_of(const Index& index, const Task& task) {
  struct Ranked {
    float bound;
    Place place;
  };
  std::vector<Ranked> ranked;
  for (size_t s = 0; s < index.segments().size(); ++s) {
    const SegmentEntry& entry = index.segments()[s].entry();
    const auto bounds = task.bounds_of(s);
    const auto in_window = static_cast<size_t>(entry.window_rows / entry.block_rows);
    for (int64_t w = 0; w < entry.window_count(); ++w) {
      const size_t from = static_cast<size_t>(w) * in_window;
      const auto some = bounds.subspan(from, std::min(in_window, bounds.size() - from));
      ranked.push_back({std::ranges::max(some), {s, w}});
    }
  }
  std::ranges::stable_sort(ranked, std::greater(), &Ranked::bound);
  std::vector<Place> places;
  for (const Ranked& one : ranked) places.push_back(one.place);
  return places;
}

void raise(std::atomic<float>& shared, float threshold) {
  float seen = shared.load(std::memory_order_relaxed);
  while (seen < threshold && !shared.compare_exchange_weak(seen, threshold, std::memory_order_relaxed)) {
  }
}

// One query on all threads, each with a list of its own; they tell one another their thresholds.
bool exact_alone(const Index& index, Task& task, bool positive, int threads, Found& found) {
  task.find_bounds(threads);
  Shortlist begun = task.new_list(positive);
  task.begin(begun, found.work);
  const std::vector<Place> windows = windows_of(index, task);
  const int64_t parts = std::clamp<int64_t>(std::ssize(windows) / kThreadWindows, 1, resolve_threads(threads));
  std::vector<Shortlist> lists(static_cast<size_t>(parts), task.new_list(positive));
  lists[0] = begun;
  std::vector<Work> works(static_cast<size_t>(parts));
  std::atomic<float> threshold = begun.threshold();
  std::atomic<size_t> next = 0;
  parallel_for(parts, 1, static_cast<int>(parts), [&](int64_t n, int64_t) {
    Shortlist& list = lists[static_cast<size_t>(n)];
    for (size_t at = next++; at < windows.size(); at = next++) {
      list.raise(threshold.load(std::memory_order_relaxed));
      task.window(windows[at].segment, windows[at].block, list, works[static_cast<size_t>(n)]);
      raise(threshold, list.threshold());
    }
  });
  for (const Work& work : works) found.work += work;
  const float least = threshold.load();
  std::vector<Shortlist::Candidate> candidates;
  for (Shortlist& list : lists) {
    const auto& left = list.left(least);
    candidates.insert(candidates.end(), left.begin(), left.end());
  }
  task.rank(candidates, found.hits);
  return least > Shortlist::kTiny;
}

// Several queries on one thread.
void exact_group(const Index& index, std::span<Task> tasks, std::span<Found> found, const std::vector<bool>& skipped) {
  std::vector<Shortlist> lists;
  for (size_t q = 0; q < tasks.size(); ++q) {
    lists.push_back(tasks[q].new_list(tasks[q].prepared().positive()));
    if (skipped[q]) continue;
    tasks[q].find_bounds(1);
    tasks[q].begin(lists[q], found[q].work);
  }
  for (size_t s = 0; s < index.segments().size(); ++s) {
    for (int64_t w = 0; w < index.segments()[s].entry().window_count(); ++w) {
      for (size_t q = 0; q < tasks.size(); ++q) {
        if (!skipped[q]) tasks[q].window(s, w, lists[q], found[q].work);
      }
    }
  }
  for (size_t q = 0; q < tasks.size(); ++q) {
    if (skipped[q]) continue;
    const bool sure = !tasks[q].prepared().positive() || lists[q].threshold() > Shortlist::kTiny;
    if (sure) {
      tasks[q].rank(lists[q].left(lists[q].threshold()), found[q].hits);
    } else {
      exact_alone(index, tasks[q], false, 1, found[q]);
    }
  }
}

void exact_one(const Index& index, Task& task, int threads, Found& found) {
  const bool positive = task.prepared().positive();
  if (exact_alone(index, task, positive, threads, found) || !positive) return;
  // Fewer than k rows have a score that is surely above 0: those without one count as well.
  found.hits.clear();
  exact_alone(index, task, false, threads, found);
}

void approximate(const Index& index, Task& task, int64_t blocks, int threads, Found& found) {
  const std::vector<int64_t> chosen = BlockEstimates(index, task.prepared()).best(blocks);
  const int64_t parts = chosen.size() < kThreadBlocks ? 1 : resolve_threads(threads);
  std::vector<Shortlist> lists(static_cast<size_t>(parts), task.new_list(task.prepared().positive()));
  std::vector<Work> works(static_cast<size_t>(parts));
  parallel_for(parts, 1, static_cast<int>(parts), [&](int64_t n, int64_t) {
    const auto part = static_cast<size_t>(n);
    const size_t begin = chosen.size() * part / lists.size();
    const size_t end = chosen.size() * (part + 1) / lists.size();
    task.read_blocks(std::span(chosen).subspan(begin, end - begin), lists[part], works[part]);
  });
  float least = lists[0].threshold();
  for (const Shortlist& list : lists) least = std::max(least, list.threshold());
  std::vector<Shortlist::Candidate> candidates;
  for (size_t n = 0; n < lists.size(); ++n) {
    const auto& left = lists[n].left(least);
    candidates.insert(candidates.end(), left.begin(), left.end());
    found.work += works[n];
  }
  task.rank(candidates, found.hits);
}

}  // namespace

Work& Work::operator+=(const Work& other) {
  windows += other.windows;
  postings += other.postings;
  blocks += other.blocks;
  passed_by += other.passed_by;
  return *this;
}

std::vector<Found> search(const Index& index, std::span<const Query> queries, const Mask& mask,
                          const SearchOptions& options) {
  check(options.k >= 1, "[search] expected k of at least 1, got ", options.k);
  const int64_t k = std::min(options.k, std::max<int64_t>(1, index.size()));
  std::vector<Found> found(queries.size());
  const bool alone = queries.size() == 1;
  parallel_for(std::ssize(queries), alone || options.blocks > 0 ? 1 : kGroup, alone ? 1 : options.threads,
               [&](int64_t begin, int64_t end) {
                 std::vector<Task> tasks;
                 std::vector<bool> skipped;
                 const auto results =
                     std::span(found).subspan(static_cast<size_t>(begin), static_cast<size_t>(end - begin));
                 for (int64_t q = begin; q < end; ++q) {
                   tasks.emplace_back(index, queries[static_cast<size_t>(q)], mask, k);
                   skipped.push_back(tasks.back().prepared().empty() || mask.count() == 0);
                   if (skipped.back() && mask.count() > 0)
                     results[static_cast<size_t>(q - begin)].hits = tasks.back().first_items();
                 }
                 if (options.blocks > 0) {
                   if (!skipped[0])
                     approximate(index, tasks[0], options.blocks, alone ? options.threads : 1, results[0]);
                 } else if (alone) {
                   if (!skipped[0]) exact_one(index, tasks[0], options.threads, results[0]);
                 } else {
                   exact_group(index, tasks, results, skipped);
                 }
               });
  return found;
}

}  // namespace orthant::index
