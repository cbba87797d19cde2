#include "orthant/index/block_estimates.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "orthant/index/kernels.h"

namespace orthant::index {

BlockEstimates::BlockEstimates(const Index& index, const Prepared& query) : index_(index), query_(query) {
  int64_t first = 0;
  for (size_t s = 0; s < index.segments().size(); ++s) {
    const int64_t blocks = index.segments()[s].entry().blocks();
    Part& part = parts_.emplace_back();
    part.first = first;
    part.sums.resize(static_cast<size_t>(blocks));
    part.most.resize(static_cast<size_t>((blocks + kChunkBlocks - 1) / kChunkBlocks));
    if (!query.empty()) {
      query.estimate_blocks(index.segments()[s], static_cast<int64_t>(s), part.sums.data(), part.most.data());
    }
    first += blocks;
  }
}

void BlockEstimates::forget(const Item& item) {
  if (query_.empty()) return;
  const Segment& segment = index_.segment(item);
  const Prepared::Part& part = query_.part(item.segment);
  const int64_t without = segment.position(item.number);
  const int64_t rows = segment.entry().block_rows;
  const int64_t block = without / rows;
  uint32_t sum = 0;
  for (size_t n = 0; n < part.strong.size(); ++n) {
    float most = 0;
    for (int64_t at = block * rows; at < std::min((block + 1) * rows, segment.items()); ++at) {
      if (at == without) continue;
      const Rows window = segment.rows(at / segment.entry().window_rows);
      const float scale = window.scales[static_cast<size_t>(at % segment.entry().window_rows)];
      most = std::max(most, segment.value_at(at, part.strong[n]) * scale);
    }
    const float top = segment.tops()[static_cast<size_t>(part.strong[n])];
    const float level = std::min(255.0F, std::ceil(255 * most / top));
    sum += static_cast<uint32_t>(level) * 256 * part.estimates[n] >> 16;
  }
  parts_[static_cast<size_t>(item.segment)].sums[static_cast<size_t>(block)] = static_cast<uint16_t>(sum);
}

std::vector<int64_t> BlockEstimates::best(int64_t count) const {
  // So many chunks have a block of at least this.
  std::vector<uint16_t> most;
  for (const Part& part : parts_) most.insert(most.end(), part.most.begin(), part.most.end());
  uint16_t least = 0;
  if (count <= std::ssize(most)) {
    std::ranges::nth_element(most, most.begin() + (count - 1), std::greater());
    least = most[static_cast<size_t>(count - 1)];
  }
  struct Entry {
    uint16_t sum;
    int64_t block;
  };
  std::vector<Entry> good;
  for (const Part& part : parts_) {
    for (size_t chunk = 0; chunk < part.most.size(); ++chunk) {
      if (part.most[chunk] < least) continue;
      const size_t begin = chunk * static_cast<size_t>(kChunkBlocks);
      const size_t end = std::min(begin + static_cast<size_t>(kChunkBlocks), part.sums.size());
      for (size_t b = begin; b < end; ++b) {
        if (part.sums[b] >= least) good.push_back({part.sums[b], part.first + static_cast<int64_t>(b)});
      }
    }
  }
  if (count < std::ssize(good)) {
    std::ranges::nth_element(good, good.begin() + (count - 1), [](const Entry& a, const Entry& b) {
      return a.sum > b.sum || (a.sum == b.sum && a.block < b.block);
    });
    good.resize(static_cast<size_t>(count));
  }
  std::vector<int64_t> blocks;
  for (const Entry& entry : good) blocks.push_back(entry.block);
  std::ranges::sort(blocks);
  return blocks;
}

int64_t BlockEstimates::place_of(const Item& item) const {
  const Segment& segment = index_.segment(item);
  const auto block = static_cast<size_t>(segment.position(item.number) / segment.entry().block_rows);
  const uint16_t mine = parts_[static_cast<size_t>(item.segment)].sums[block];
  int64_t before = 0;
  for (size_t s = 0; s < parts_.size(); ++s) {
    const auto here = static_cast<int64_t>(s);
    for (size_t b = 0; b < parts_[s].sums.size(); ++b) {
      const bool earlier = here < item.segment || (here == item.segment && b < block);
      before += parts_[s].sums[b] > mine || (parts_[s].sums[b] == mine && earlier) ? 1 : 0;
    }
  }
  return before;
}

}  // namespace orthant::index
