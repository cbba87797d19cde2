#include "orthant/measure/official_retrieval.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "orthant/core/error.h"
#include "orthant/core/threads.h"
#include "orthant/search/kernels.h"

namespace orthant::measure {
namespace {

constexpr int64_t kPlaces = 10;
constexpr int64_t kChunk = 8192;  // queries whose lists are kept at a time
constexpr int64_t kTile = 1024;   // rows that a query is compared with at once: its products stay in the first cache

// The rows at unit length, their entries by the rank of the column: what each number of columns keeps is a prefix.
struct RankedRows {
  struct Entry {
    int32_t rank;
    float value;
  };
  std::vector<Entry> entries;
  std::vector<size_t> begins;

  std::span<const Entry> row(int64_t i) const {
    const auto at = static_cast<size_t>(i);
    return std::span(entries).subspan(begins[at], begins[at + 1] - begins[at]);
  }
};

std::vector<double> unit_scales(const Features& features) {
  std::vector<double> scales(static_cast<size_t>(features.rows()));
  for (int64_t i = 0; i < features.rows(); ++i) {
    scales[static_cast<size_t>(i)] = 1 / std::max(features.row_norm(i), 1e-12);
  }
  return scales;
}

std::vector<int64_t> columns_by_sum(const Features& features, std::span<const double> scales) {
  std::vector<double> sums(static_cast<size_t>(features.cols()));
  for (int64_t i = 0; i < features.rows(); ++i) {
    features.visit_row(i, [&](int64_t j, float x) {
      sums[static_cast<size_t>(j)] += static_cast<float>(static_cast<double>(x) * scales[static_cast<size_t>(i)]);
    });
  }
  std::vector<int64_t> order(sums.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::ranges::greater(), [&](int64_t j) { return sums[static_cast<size_t>(j)]; });
  return order;
}

RankedRows ranked_rows(const Features& features) {
  const std::vector<double> scales = unit_scales(features);
  const std::vector<int64_t> order = columns_by_sum(features, scales);
  std::vector<int32_t> rank(order.size());
  for (size_t r = 0; r < order.size(); ++r) rank[static_cast<size_t>(order[r])] = static_cast<int32_t>(r);
  RankedRows rows;
  rows.begins.push_back(0);
  for (int64_t i = 0; i < features.rows(); ++i) {
    features.visit_row(i, [&](int64_t j, float x) {
      if (x == 0) return;
      const auto value = static_cast<float>(static_cast<double>(x) * scales[static_cast<size_t>(i)]);
      rows.entries.push_back({rank[static_cast<size_t>(j)], value});
    });
    std::ranges::sort(rows.entries.begin() + static_cast<int64_t>(rows.begins.back()), rows.entries.end(), {},
                      &RankedRows::Entry::rank);
    rows.begins.push_back(rows.entries.size());
  }
  return rows;
}

// The nearest so far, nearest first. Rows come by rising index, so that of equal ones the lower stays in front.
struct Nearest {
  std::array<float, kPlaces + 1> closeness;
  std::array<int64_t, kPlaces + 1> rows;

  Nearest() {
    closeness.fill(-std::numeric_limits<float>::infinity());
    rows.fill(-1);
  }

  float worst() const { return closeness.back(); }

  // Takes a row that is closer than the worst.
  void offer(float close, int64_t row) {
    size_t at = closeness.size() - 1;
    for (; at > 0 && closeness[at - 1] < close; --at) {
      closeness[at] = closeness[at - 1];
      rows[at] = rows[at - 1];
    }
    closeness[at] = close;
    rows[at] = row;
  }
};

// Some rows column by column, and their squared lengths at each number of columns.
struct Tile {
  int64_t begin = 0;
  int64_t size = 0;
  std::vector<float> columns;  // [rank][kTile]
  std::vector<float> squares;  // [point][kTile]
};

void fill(Tile& tile, const RankedRows& rows, int64_t begin, int64_t size, int64_t step, int64_t points) {
  tile.begin = begin;
  tile.size = size;
  const int64_t ranks = (points - 1) * step;
  tile.columns.assign(static_cast<size_t>(ranks * kTile), 0);
  tile.squares.assign(static_cast<size_t>(points * kTile), 0);
  for (int64_t t = 0; t < size; ++t) {
    double sum = 0;
    int64_t point = 0;
    const auto close_points = [&](int64_t rank) {
      for (; point < points && point * step <= rank; ++point) {
        tile.squares[static_cast<size_t>(point * kTile + t)] = static_cast<float>(sum);
      }
    };
    for (const auto& [rank, value] : rows.row(begin + t)) {
      if (rank >= ranks) break;
      close_points(rank);
      sum += static_cast<double>(value) * value;
      tile.columns[static_cast<size_t>(rank * kTile + t)] = value;
    }
    close_points(points * step);
  }
}

// Compares one query with a tile at every number of columns; products of the columns before are kept.
void compare(std::span<const RankedRows::Entry> query, const Tile& tile, int64_t step, std::span<Nearest> nearest) {
  std::array<float, kTile> products = {};
  std::array<float, kTile> close;
  auto entry = query.begin();
  for (size_t point = 0; point < nearest.size(); ++point) {
    const int64_t kept = static_cast<int64_t>(point) * step;
    for (; entry != query.end() && entry->rank < kept; ++entry) {
      search::add_column(tile.columns.data() + entry->rank * kTile, entry->value, kTile, products.data());
    }
    // |q - b|^2 = |q|^2 + |b|^2 - 2 q.b, and |q|^2 ranks nothing.
    Nearest& list = nearest[point];
    if (!search::closeness(products.data(), tile.squares.data() + point * kTile, kTile, list.worst(), close.data()))
      continue;
    std::fill(close.begin() + tile.size, close.end(), -std::numeric_limits<float>::infinity());
    for (int64_t t = 0; (t = search::find_above(close.data(), t, tile.size, list.worst())) < tile.size; ++t) {
      list.offer(close[static_cast<size_t>(t)], tile.begin + t);
    }
  }
}

int64_t hits_of(const Nearest& list, int64_t query, std::span<const int64_t> labels) {
  int64_t hits = 0;
  for (size_t place = 1; place < list.rows.size(); ++place) {
    const int64_t row = list.rows[place];
    if (row < 0 || row == query) continue;
    hits += labels[static_cast<size_t>(row)] == labels[static_cast<size_t>(query)] ? 1 : 0;
  }
  return hits;
}

}  // namespace

std::vector<OfficialRetrievalPoint> official_retrieval(const Features& features, std::span<const int64_t> labels,
                                                       const OfficialRetrievalOptions& options) {
  const int64_t count = features.rows();
  check(static_cast<int64_t>(labels.size()) == count, "[official retrieval] expected ", count, " labels, got ",
        labels.size());
  check(options.step >= 1, "[official retrieval] expected a step of at least 1, got ", options.step);
  check_finite(features, "official retrieval");
  const int64_t points = (features.cols() + options.step - 1) / options.step;
  if (points == 0) return {};
  const RankedRows rows = ranked_rows(features);
  std::vector<int64_t> hits(static_cast<size_t>(points));
  Tile tile;
  for (int64_t chunk = 0; chunk < count; chunk += kChunk) {
    const int64_t queries = std::min(kChunk, count - chunk);
    std::vector<Nearest> nearest(static_cast<size_t>(queries * points));
    const auto lists = [&](int64_t q) {
      return std::span(nearest).subspan(static_cast<size_t>(q * points), static_cast<size_t>(points));
    };
    for (int64_t begin = 0; begin < count; begin += kTile) {
      fill(tile, rows, begin, std::min(kTile, count - begin), options.step, points);
      parallel_for(queries, 64, options.threads, [&](int64_t first, int64_t last) {
        for (int64_t q = first; q < last; ++q) compare(rows.row(chunk + q), tile, options.step, lists(q));
      });
    }
    for (int64_t q = 0; q < queries; ++q) {
      for (size_t point = 0; point < hits.size(); ++point) hits[point] += hits_of(lists(q)[point], chunk + q, labels);
    }
    if (options.progress) options.progress(chunk + queries, count);
  }
  std::vector<OfficialRetrievalPoint> curve;
  for (int64_t point = 0; point < points; ++point) {
    const auto total = static_cast<double>(std::max<int64_t>(count, 1) * kPlaces);
    curve.push_back({point * options.step, static_cast<double>(hits[static_cast<size_t>(point)]) / total});
  }
  return curve;
}

}  // namespace orthant::measure
