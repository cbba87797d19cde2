#include "orthant/search/panel_search.h"

#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "orthant/core/threads.h"
#include "orthant/search/kernels.h"

namespace orthant::search {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr int64_t kBankFloats = 16 << 20;   // packed at a time
constexpr int64_t kBlockFloats = 48 << 10;  // of queries: together with a panel they stay in the second-level cache

using Floats = hwy::AlignedFreeUniquePtr<float[]>;

Floats floats(int64_t count) { return hwy::AllocateAligned<float>(static_cast<size_t>(std::max<int64_t>(count, 1))); }

// Rows begin to end side by side, `width` at a time: [count / width, dims, width], filled up with zeros.
void pack(const SearchRows& rows, int64_t begin, int64_t end, int64_t width, float* out) {
  const int64_t dims = rows.dims();
  for (int64_t first = begin; first < end; first += width, out += width * dims) {
    std::fill_n(out, width * dims, 0.0F);
    for (int64_t i = first; i < std::min(end, first + width); ++i) {
      float* const column = out + (i - first);
      rows.visit(i, [&](int64_t j, float x) { column[j * width] = x; });
    }
  }
}

struct PackedBank {
  int64_t begin;
  int64_t end;
  Floats panels;
  Floats starts;  // -infinity where a panel is filled up, so that nothing exceeds a threshold there
};

PackedBank pack_bank(const SearchRows& bank, int64_t begin, int64_t end, int threads) {
  const int64_t panels = (end - begin + kPanelRows - 1) / kPanelRows;
  PackedBank packed{begin, end, floats(panels * kPanelRows * bank.dims()), floats(panels * kPanelRows)};
  parallel_for(panels, 16, threads, [&](int64_t from, int64_t to) {
    pack(bank, begin + from * kPanelRows, std::min(end, begin + to * kPanelRows), kPanelRows,
         packed.panels.get() + from * kPanelRows * bank.dims());
    for (int64_t n = from * kPanelRows; n < to * kPanelRows; ++n) {
      packed.starts[static_cast<size_t>(n)] = begin + n < end ? bank.start(begin + n) : -kInfinity;
    }
  });
  return packed;
}

void offer_hits(uint32_t hits, const float* scores, int64_t query, int64_t row, int64_t rows, TopLists& lists) {
  for (; hits != 0; hits &= hits - 1) {
    const int64_t i = std::countr_zero(hits);
    for (int64_t n = 0; n < rows; ++n) {
      const float score = scores[i * kPanelRows + n];
      if (score > lists.thresholds()[query + i]) lists.offer(query + i, score, row + n);
    }
  }
}

void search_block(const PackedBank& bank, const SearchRows& queries, int64_t begin, int64_t end, TopLists& lists) {
  const int64_t dims = queries.dims();
  const int64_t groups = (end - begin + kGroupQueries - 1) / kGroupQueries;
  const Floats packed = floats(groups * kGroupQueries * dims);
  pack(queries, begin, end, kGroupQueries, packed.get());
  alignas(64) float scores[kGroupQueries * kPanelRows];
  float thresholds[kGroupQueries];
  for (int64_t row = bank.begin; row < bank.end; row += kPanelRows) {
    const int64_t rows = std::min(kPanelRows, bank.end - row);
    const float* const panel = bank.panels.get() + (row - bank.begin) * dims;
    const float* const starts = bank.starts.get() + (row - bank.begin);
    for (int64_t group = 0; group < groups; ++group) {
      const int64_t query = begin + group * kGroupQueries;
      const int64_t count = std::min(kGroupQueries, end - query);
      std::copy_n(lists.thresholds() + query, count, thresholds);
      std::fill(thresholds + count, thresholds + kGroupQueries, kInfinity);
      const uint32_t hits =
          scan_panel(packed.get() + group * kGroupQueries * dims, panel, starts, dims, thresholds, scores);
      offer_hits(hits, scores, query, row, rows, lists);
    }
  }
}

int64_t round_down(int64_t n, int64_t unit, int64_t most) { return std::clamp(n / unit * unit, unit, most * unit); }

}  // namespace

void panel_search(const SearchRows& bank, const SearchRows& queries, int threads, TopLists& lists,
                  const std::function<void(int64_t pairs)>& done) {
  const int64_t dims = std::max<int64_t>(bank.dims(), 1);
  const int64_t part = round_down(kBankFloats / dims, kPanelRows, 1 << 16);
  const int64_t block = round_down(kBlockFloats / dims, kGroupQueries, 32);
  for (int64_t begin = 0; begin < bank.rows(); begin += part) {
    const PackedBank packed = pack_bank(bank, begin, std::min(bank.rows(), begin + part), threads);
    parallel_for(queries.rows(), block, threads, [&](int64_t from, int64_t to) {
      search_block(packed, queries, from, to, lists);
      done((to - from) * (packed.end - packed.begin));
    });
  }
}

}  // namespace orthant::search
