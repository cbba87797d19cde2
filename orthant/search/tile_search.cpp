#include "orthant/search/tile_search.h"

#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

#include "orthant/core/threads.h"
#include "orthant/search/kernels.h"

namespace orthant::search {
namespace {

constexpr int64_t kBankEntries = 4 << 20;  // compressed at a time
constexpr int64_t kBankRows = 1 << 20;

struct CompressedBank {
  int64_t begin = 0;
  int64_t end = 0;
  std::vector<int64_t> offsets = {0};
  std::vector<int32_t> columns = {};
  std::vector<float> values = {};
  std::vector<float> starts = {};

  CompressedRows view() const { return {offsets.data(), columns.data(), values.data(), starts.data()}; }
};

CompressedBank compress(const SearchRows& rows, int64_t begin) {
  CompressedBank bank{.begin = begin, .end = begin};
  while (bank.end < rows.rows() && bank.end - begin < kBankRows &&
         static_cast<int64_t>(bank.columns.size()) < kBankEntries) {
    rows.visit(bank.end, [&](int64_t j, float x) {
      bank.columns.push_back(static_cast<int32_t>(j));
      bank.values.push_back(x);
    });
    bank.offsets.push_back(static_cast<int64_t>(bank.columns.size()));
    bank.starts.push_back(rows.start(bank.end));
    ++bank.end;
  }
  return bank;
}

void search_tile(const CompressedBank& bank, const SearchRows& queries, int64_t begin, int64_t end, TopLists& lists) {
  const auto tile = hwy::AllocateAligned<float>(static_cast<size_t>((queries.dims() + 1) * kTileQueries));
  std::fill_n(tile.get(), queries.dims() * kTileQueries, 0.0F);
  for (int64_t q = begin; q < end; ++q) {
    queries.visit(q, [&](int64_t j, float x) { tile[static_cast<size_t>(j * kTileQueries + q - begin)] = x; });
  }
  alignas(64) float scores[kTileQueries];
  alignas(64) float thresholds[kTileQueries];
  std::fill(thresholds, thresholds + kTileQueries, std::numeric_limits<float>::infinity());
  std::copy_n(lists.thresholds() + begin, end - begin, thresholds);
  const int64_t rows = bank.end - bank.begin;
  const CompressedRows view = bank.view();
  for (int64_t row = 0; row < rows; ++row) {
    const RowHit hit = scan_rows(view, row, rows, tile.get(), thresholds, scores);
    row = hit.row;
    for (uint32_t left = hit.queries; left != 0; left &= left - 1) {
      const int64_t n = std::countr_zero(left);
      lists.offer(begin + n, scores[n], bank.begin + row);
      thresholds[n] = lists.thresholds()[begin + n];
    }
  }
}

}  // namespace

void tile_search(const SearchRows& bank, const SearchRows& queries, int threads, TopLists& lists,
                 const std::function<void(int64_t pairs)>& done) {
  for (int64_t begin = 0; begin < bank.rows();) {
    const CompressedBank part = compress(bank, begin);
    parallel_for(queries.rows(), kTileQueries, threads, [&](int64_t from, int64_t to) {
      search_tile(part, queries, from, to, lists);
      done((to - from) * (part.end - part.begin));
    });
    begin = part.end;
  }
}

}  // namespace orthant::search
