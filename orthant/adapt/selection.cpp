#include "orthant/adapt/selection.h"

#include <algorithm>
#include <functional>
#include <span>

#include "orthant/adapt/encoder.h"
#include "orthant/adapt/strongest.h"
#include "orthant/core/threads.h"

namespace orthant::adapt {
namespace {

constexpr float kMargin = 0.9F;  // of the last threshold: most batches pass at the first attempt

struct TileFound {
  std::vector<RowEntries> rows;  // begin: within the tile
  std::vector<Entry> entries;
};

// What one thread works with.
struct Bench {
  Bench(const Adapter& adapter, int64_t tile)
      : pre(static_cast<size_t>(tile * adapter.features)), strongest(adapter.features) {}

  Floats pre;
  Strongest strongest;
  std::vector<Hit> hits;
};

class Selector {
 public:
  Selector(const Adapter& adapter, const std::vector<int32_t>& dead, const SelectionOptions& options)
      : adapter_(adapter), dead_(dead), options_(options), tile_(tile_rows(adapter.features)) {
    if (adapter.gate != Gate::jump) return;
    shifted_ = adapter.encoder_bias;
    for (size_t j = 0; j < shifted_.size(); ++j) shifted_[j] -= adapter.thresholds[j];
  }

  int64_t tile() const { return tile_; }

  void find(const float* less, int64_t rows, float threshold, Bench& bench, TileFound& found) const {
    pre_activations(adapter_, less, rows, bench.pre.data());
    for (int64_t i = 0; i < rows; ++i) {
      const float* const pre = bench.pre.data() + i * adapter_.features;
      RowEntries row{.begin = std::ssize(found.entries)};
      bench.hits.clear();
      if (adapter_.gate == Gate::topk) {
        row.counts[0] = static_cast<int32_t>(
            bench.strongest.find(pre, adapter_.encoder_bias.data(), options_.wide, options_.active, bench.hits));
        row.counts[1] = static_cast<int32_t>(std::ssize(bench.hits) - row.counts[0]);
        append(bench.hits, found);
      } else if (adapter_.gate == Gate::batch) {
        bench.strongest.find_all(pre, adapter_.encoder_bias.data(), threshold, bench.hits);
        row.counts[0] = static_cast<int32_t>(std::ssize(bench.hits));
        append(bench.hits, found);
      } else {
        find_jumps(pre, bench, row, found);
      }
      if (options_.spare > 0 && !dead_.empty()) {
        bench.hits.clear();
        bench.strongest.find_among(dead_, pre, adapter_.encoder_bias.data(), options_.spare, bench.hits);
        row.counts[2] = static_cast<int32_t>(std::ssize(bench.hits));
        append(bench.hits, found);
        if (row.counts[3] > 0) rotate_edges(row, found);
      }
      found.rows.push_back(row);
    }
  }

 private:
  static void append(const std::vector<Hit>& hits, TileFound& found) {
    for (const Hit& hit : hits) found.entries.push_back({hit.feature, hit.value});
  }

  // On: above the threshold and 0; at the edge: below it by less than half the width.
  void find_jumps(const float* pre, Bench& bench, RowEntries& row, TileFound& found) const {
    const auto half = static_cast<float>(options_.jump_width / 2);
    bench.strongest.find_all(pre, shifted_.data(), -half, bench.hits);
    for (const bool on : {true, false}) {
      for (const Hit& hit : bench.hits) {
        const auto j = static_cast<size_t>(hit.feature);
        const float value = pre[j] + adapter_.encoder_bias[j];
        if ((hit.value > 0 && value > 0) != on) continue;
        found.entries.push_back({hit.feature, value});
        ++row.counts[on ? 0 : 3];
      }
    }
  }

  // Spare entries were appended behind those at the edge; roles come in order.
  static void rotate_edges(const RowEntries& row, TileFound& found) {
    const auto edges = found.entries.end() - row.counts[3] - row.counts[2];
    std::rotate(edges, edges + row.counts[3], found.entries.end());
  }

  const Adapter& adapter_;
  const std::vector<int32_t>& dead_;
  const SelectionOptions& options_;
  const int64_t tile_;
  Floats shifted_;  // jump: c less the thresholds
};

std::vector<TileFound> find_tiles(const Selector& selector, const Adapter& adapter, const float* less, int64_t rows,
                                  float threshold, int threads) {
  const int64_t tile = selector.tile();
  std::vector<TileFound> tiles(static_cast<size_t>((rows + tile - 1) / tile));
  const int workers = resolve_threads(threads);
  // A few tiles for each task, so that its memory is not made anew for every tile.
  const int64_t grain = std::max<int64_t>(1, std::ssize(tiles) / (4 * workers));
  parallel_for(std::ssize(tiles), grain, threads, [&](int64_t begin, int64_t end) {
    Bench bench(adapter, tile);
    for (int64_t t = begin; t < end; ++t) {
      bench.strongest = Strongest(adapter.features);
      selector.find(less + t * tile * adapter.stride, std::min(tile, rows - t * tile), threshold, bench,
                    tiles[static_cast<size_t>(t)]);
    }
  });
  return tiles;
}

BatchCodes joined(std::vector<TileFound>& tiles) {
  BatchCodes codes;
  size_t entries = 0;
  for (const TileFound& tile : tiles) entries += tile.entries.size();
  codes.entries.reserve(entries);
  for (TileFound& tile : tiles) {
    for (RowEntries row : tile.rows) {
      row.begin += std::ssize(codes.entries);
      codes.rows.push_back(row);
    }
    codes.entries.insert(codes.entries.end(), tile.entries.begin(), tile.entries.end());
    tile = {};
  }
  return codes;
}

// The largest `count` of the candidates of a batch: all above `value`, and the first `ties` that equal it.
struct Cut {
  float value = 0;
  int64_t ties = 0;
};

Cut cut_at(std::vector<float>& values, int64_t count) {
  if (std::ssize(values) < count) return {0, 0};
  const auto last = values.begin() + (count - 1);
  std::nth_element(values.begin(), last, values.end(), std::greater());
  const float value = *last;
  return {value, std::count(values.begin(), values.begin() + count, value)};
}

bool takes(Cut& cut, float value) {
  if (value > cut.value) return true;
  return value == cut.value && cut.ties-- > 0;
}

// Gives the candidates of all rows their roles, and drops those that have none.
Selection settle(BatchCodes candidates, const SelectionOptions& options) {
  std::vector<float> values;
  for (const RowEntries& row : candidates.rows) {
    for (int32_t n = 0; n < row.counts[0]; ++n) {
      values.push_back(candidates.entries[static_cast<size_t>(row.begin + n)].value);
    }
  }
  const auto rows = std::ssize(candidates.rows);
  Cut near = cut_at(values, rows * options.active);
  Cut wide = options.wide > options.active ? cut_at(values, rows * options.wide) : near;
  const bool widens = options.wide > options.active;
  Selection selected{{}, near.value};
  std::vector<Entry> off;
  for (const RowEntries& row : candidates.rows) {
    RowEntries kept{.begin = std::ssize(selected.codes.entries)};
    off.clear();
    for (int32_t n = 0; n < row.counts[0]; ++n) {
      const Entry& entry = candidates.entries[static_cast<size_t>(row.begin + n)];
      const bool is_wide = widens && takes(wide, entry.value);
      if (takes(near, entry.value)) {
        selected.codes.entries.push_back(entry);
        ++kept.counts[0];
      } else if (is_wide) {
        off.push_back(entry);
      }
    }
    kept.counts[1] = static_cast<int32_t>(off.size());
    kept.counts[2] = row.counts[2];
    selected.codes.entries.insert(selected.codes.entries.end(), off.begin(), off.end());
    const auto spare = candidates.entries.begin() + row.begin + row.counts[0];
    selected.codes.entries.insert(selected.codes.entries.end(), spare, spare + row.counts[2]);
    selected.codes.rows.push_back(kept);
  }
  return selected;
}

}  // namespace

Selection select_features(const Adapter& adapter, const float* rows_less_bias, int64_t rows,
                          const std::vector<int32_t>& dead, float& guess, const SelectionOptions& options) {
  const Selector selector(adapter, dead, options);
  const auto find = [&](int64_t count, float threshold) {
    auto tiles = find_tiles(selector, adapter, rows_less_bias, count, threshold, options.threads);
    return joined(tiles);
  };
  if (adapter.gate != Gate::batch) return {find(rows, 0), 0};
  const auto candidates_of = [](const BatchCodes& codes) {
    int64_t count = 0;
    for (const RowEntries& row : codes.rows) count += row.counts[0];
    return count;
  };
  const int64_t most = std::max(options.wide, options.active);
  if (guess <= 0) {  // from a few rows, so that all others need not keep half of their features
    const int64_t few = std::min(rows, int64_t{64});
    BatchCodes first = find(few, 0);
    std::vector<float> values;
    for (const Entry& entry : first.entries) values.push_back(entry.value);
    guess = kMargin * cut_at(values, few * most * 3 / 2).value;
  }
  BatchCodes candidates = find(rows, guess);
  if (candidates_of(candidates) < rows * most && guess > 0) candidates = find(rows, guess / 2);
  if (candidates_of(candidates) < rows * most && guess > 0) candidates = find(rows, 0);
  Selection selected = settle(std::move(candidates), options);
  float lowest = selected.smallest;
  for (const RowEntries& row : selected.codes.rows) {
    for (int32_t n = 0; n < row.counts[0] + row.counts[1]; ++n) {
      lowest = std::min(lowest, selected.codes.entries[static_cast<size_t>(row.begin + n)].value);
    }
  }
  guess = kMargin * lowest;
  return selected;
}

}  // namespace orthant::adapt
