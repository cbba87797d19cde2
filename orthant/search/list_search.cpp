#include "orthant/search/list_search.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "orthant/core/threads.h"
#include "orthant/search/kernels.h"

namespace orthant::search {
namespace {

constexpr int64_t kPartRows = 2048;  // whose scores stay in the first-level cache; below 2^16
constexpr int64_t kParts = 512;      // inverted at a time
constexpr int64_t kBlockQueries = 64;
constexpr int64_t kPadding = 16;  // find_above() reads whole vectors

// For rows begin to end of the bank: entries offsets[j] to offsets[j + 1] are those of column j, by rising row.
struct InvertedPart {
  int64_t begin = 0;
  int64_t end = 0;
  std::vector<int32_t> offsets = {};
  std::vector<uint16_t> rows = {};
  std::vector<float> values = {};
  std::vector<float> starts = {};
};

InvertedPart invert(const SearchRows& bank, int64_t begin, int64_t end) {
  InvertedPart part{.begin = begin, .end = end};
  part.offsets.assign(static_cast<size_t>(bank.dims()) + 1, 0);
  for (int64_t i = begin; i < end; ++i) {
    bank.visit(i, [&](int64_t j, float) { ++part.offsets[static_cast<size_t>(j) + 1]; });
    part.starts.push_back(bank.start(i));
  }
  part.starts.resize(part.starts.size() + kPadding, -std::numeric_limits<float>::infinity());
  for (size_t j = 1; j < part.offsets.size(); ++j) part.offsets[j] += part.offsets[j - 1];
  part.rows.resize(static_cast<size_t>(part.offsets.back()));
  part.values.resize(part.rows.size());
  std::vector<int32_t> next(part.offsets.begin(), part.offsets.end() - 1);
  for (int64_t i = begin; i < end; ++i) {
    bank.visit(i, [&](int64_t j, float x) {
      const auto n = static_cast<size_t>(next[static_cast<size_t>(j)]++);
      part.rows[n] = static_cast<uint16_t>(i - begin);
      part.values[n] = x;
    });
  }
  return part;
}

struct Entry {
  int64_t column;
  float value;
};

void search_query(const InvertedPart& part, std::span<const Entry> entries, int64_t query, std::vector<float>& scores,
                  TopLists& lists) {
  scores.assign(part.starts.begin(), part.starts.end());
  for (const auto& [column, value] : entries) {
    const int32_t first = part.offsets[static_cast<size_t>(column)];
    const int32_t count = part.offsets[static_cast<size_t>(column) + 1] - first;
    add_list(part.rows.data() + first, part.values.data() + first, count, value, scores.data());
  }
  const int64_t rows = part.end - part.begin;
  for (int64_t row = 0; row < rows; ++row) {
    row = find_above(scores.data(), row, rows, lists.thresholds()[query]);
    if (row == rows) break;
    lists.offer(query, scores[static_cast<size_t>(row)], part.begin + row);
  }
}

void search_block(const std::vector<InvertedPart>& parts, const SearchRows& queries, int64_t begin, int64_t end,
                  TopLists& lists) {
  std::vector<Entry> entries;
  std::vector<size_t> offsets = {0};
  for (int64_t q = begin; q < end; ++q) {
    queries.visit(q, [&](int64_t j, float x) { entries.push_back({j, x}); });
    offsets.push_back(entries.size());
  }
  std::vector<float> scores;
  for (const InvertedPart& part : parts) {
    for (int64_t q = begin; q < end; ++q) {
      const auto n = static_cast<size_t>(q - begin);
      search_query(part, std::span(entries).subspan(offsets[n], offsets[n + 1] - offsets[n]), q, scores, lists);
    }
  }
}

}  // namespace

void list_search(const SearchRows& bank, const SearchRows& queries, int threads, TopLists& lists,
                 const std::function<void(int64_t pairs)>& done) {
  for (int64_t begin = 0; begin < bank.rows(); begin += kParts * kPartRows) {
    const int64_t end = std::min(bank.rows(), begin + kParts * kPartRows);
    std::vector<InvertedPart> parts(static_cast<size_t>((end - begin + kPartRows - 1) / kPartRows));
    parallel_for(static_cast<int64_t>(parts.size()), 1, threads, [&](int64_t n, int64_t) {
      const int64_t first = begin + n * kPartRows;
      parts[static_cast<size_t>(n)] = invert(bank, first, std::min(end, first + kPartRows));
    });
    parallel_for(queries.rows(), kBlockQueries, threads, [&](int64_t from, int64_t to) {
      search_block(parts, queries, from, to, lists);
      done((to - from) * (end - begin));
    });
  }
}

}  // namespace orthant::search
