#include "orthant/index/recall.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "orthant/core/threads.h"
#include "orthant/index/block_estimates.h"
#include "orthant/index/mask.h"
#include "orthant/index/search.h"
#include "orthant/index/window_search.h"

namespace orthant::index {
namespace {

constexpr int64_t kQueries = 256;
constexpr int64_t kNeighbours = 10;
constexpr int64_t kSomeBlocks = 16;  // that are read to see how much work one is

// Items evenly spread over those that are there.
std::vector<Item> spread(const Index& index) {
  std::vector<Item> all;
  const int64_t size = index.size();
  const int64_t wanted = std::min(size, kQueries);
  int64_t seen = 0;
  for (size_t s = 0; s < index.segments().size(); ++s) {
    const Segment& segment = index.segments()[s];
    for (int64_t i = 0; i < segment.items(); ++i) {
      if (segment.entry().removed > 0 && segment.removed(segment.position(i))) continue;
      if (seen++ * wanted / size == std::ssize(all)) all.push_back({static_cast<int64_t>(s), i});
    }
  }
  return all;
}

double work_of(const std::vector<Found>& found, const Index& index, const std::vector<Query>& queries) {
  const SegmentEntry& entry = index.segments()[0].entry();
  double work = 0;
  for (size_t q = 0; q < found.size(); ++q) {
    const Work& one = found[q].work;
    const auto lists = static_cast<double>(queries[q].weights.size()) * static_cast<double>(one.blocks + one.windows);
    const int64_t rows = one.blocks * entry.block_rows + one.windows * entry.window_rows;
    work += static_cast<double>(one.postings) + kListOverhead * lists +
            static_cast<double>(rows) / static_cast<double>(kRowsAnEntry);
  }
  return work;
}

}  // namespace

RecallCurve measure_recall(const Index& index, int threads) {
  RecallCurve curve;
  curve.k = kNeighbours;
  if (index.size() < 2) return curve;
  std::vector<Query> queries;
  for (const Item& item : spread(index)) {
    queries.push_back(query_of(index, item));
    if (queries.back().weights.empty()) queries.pop_back();
  }
  const Mask mask(index);
  const auto found = search(index, queries, mask, {.k = kNeighbours, .threads = threads});
  const auto asked = static_cast<double>(std::max<size_t>(1, queries.size()));
  curve.exact_work = work_of(found, index, queries) / asked;
  const int64_t some = std::min(index.blocks(), kSomeBlocks);
  const auto near = search(index, queries, mask, {.k = kNeighbours, .blocks = some, .threads = threads});
  curve.block_work = work_of(near, index, queries) / asked / static_cast<double>(some);
  std::vector<std::vector<int64_t>> places(queries.size());
  parallel_for(std::ssize(queries), 1, threads, [&](int64_t q, int64_t) {
    const auto n = static_cast<size_t>(q);
    const Prepared prepared(index, queries[n]);
    BlockEstimates estimates(index, prepared);
    estimates.forget(*queries[n].itself);
    for (const Hit& hit : found[n].hits) {
      if (hit.score > 0) places[n].push_back(estimates.place_of(hit.item));
    }
  });
  std::erase_if(places, [](const auto& of_query) { return of_query.empty(); });
  curve.queries = std::ssize(places);
  if (places.empty()) return curve;
  const int64_t blocks = index.blocks();
  for (int64_t many = 1;; many = std::min(blocks, many + std::max<int64_t>(1, many / 8))) {
    double sum = 0;
    double squares = 0;
    for (const auto& of_query : places) {
      const auto hits = std::ranges::count_if(of_query, [&](int64_t place) { return place < many; });
      const double share = static_cast<double>(hits) / static_cast<double>(of_query.size());
      sum += share;
      squares += share * share;
    }
    const auto n = static_cast<double>(places.size());
    const double mean = sum / n;
    curve.points.push_back({many, mean, std::sqrt(std::max(0.0, squares / n - mean * mean) / n)});
    if (many == blocks || mean == 1) break;
  }
  return curve;
}

RecallPlan plan_for(const Index& index, double recall) {
  const RecallCurve& curve = index.directory().curve;
  for (const auto& point : curve.points) {
    if (recall >= 1 || point.recall - 2 * point.error < recall) continue;
    if (static_cast<double>(point.blocks) * curve.block_work > curve.exact_work) break;
    return {point.blocks, recall, point.recall, point.error};
  }
  return {};
}

}  // namespace orthant::index
