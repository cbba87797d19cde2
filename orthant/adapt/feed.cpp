#include "orthant/adapt/feed.h"

#include <algorithm>

#include "orthant/core/rng.h"
#include "orthant/core/threads.h"

namespace orthant::adapt {
namespace {

constexpr uint16_t kPartnerStream = 0xff23;
constexpr int64_t kWindowBytes = int64_t{256} << 20;
constexpr int64_t kBlockBytes = int64_t{256} << 10;

int64_t row_bytes(const Material& material) {
  return (material.vectors.dims() + (material.with ? material.with->dims() : 0)) * 4;
}

int64_t bytes_held(const AdaptRecipe& recipe, const Material& material) {
  const int64_t all = material.vectors.rows() * row_bytes(material);
  const int64_t limit = recipe.train.memory_mib << 20;
  return all <= limit ? all : std::min(kWindowBytes, limit);
}

RowOrder make_order(const AdaptRecipe& recipe, const Material& material) {
  const auto seed = static_cast<uint64_t>(recipe.train.seed);
  if (!material.pairs.empty()) return {std::ssize(material.pairs), {}, std::ssize(material.pairs), 1, seed};
  const int64_t rows = material.vectors.rows();
  const int64_t block = std::max<int64_t>(1, kBlockBytes / row_bytes(material));
  const int64_t held = bytes_held(recipe, material);
  const int64_t blocks = std::max<int64_t>(1, held / (block * row_bytes(material)));
  const bool whole = held == rows * row_bytes(material);
  return {rows, material.held_out, whole ? rows : block, whole ? 1 : blocks, seed};
}

}  // namespace

Feed::Feed(const AdaptRecipe& recipe, const Material& material, const Adapter& adapter)
    : recipe_(recipe),
      material_(material),
      adapter_(adapter),
      order_(make_order(recipe, material)),
      whole_(order_.windows() == 1) {}

int64_t Feed::batches() const { return order_.size() / entries_of(recipe_); }

void Feed::begin(int64_t epoch, int64_t batch) {
  epoch_ = epoch;
  batch_ = batch;
  int64_t skip = batch * entries_of(recipe_);
  int64_t window = 0;
  for (; window + 1 < order_.windows(); ++window) {
    const auto here = std::ssize(order_.places(epoch, window));
    if (skip < here) break;
    skip -= here;
  }
  open_window(window);
  taken_ = static_cast<size_t>(skip);
}

void Feed::open_window(int64_t window) {
  places_ = order_.places(epoch_, window);
  taken_ = 0;
  window_ = window;
  if (whole_ && !held_.empty()) return;
  const auto read = [&](const Vectors& vectors, std::vector<float>& out) {
    const int64_t dims = vectors.dims();
    if (whole_) {
      out.resize(static_cast<size_t>(vectors.rows() * dims));
      vectors.read(0, vectors.rows(), out.data());
      return;
    }
    const std::vector<int64_t> blocks = order_.blocks(epoch_, window);
    out.resize(static_cast<size_t>(std::ssize(blocks) * order_.block() * dims));
    parallel_for(std::ssize(blocks), 8, static_cast<int>(recipe_.train.threads), [&](int64_t begin, int64_t end) {
      for (int64_t b = begin; b < end; ++b) {
        const int64_t first = blocks[static_cast<size_t>(b)] * order_.block();
        vectors.read(first, std::min(order_.block(), vectors.rows() - first), out.data() + b * order_.block() * dims);
      }
    });
    if (window + 1 == order_.windows()) return;
    for (const int64_t block : order_.blocks(epoch_, window + 1)) {
      vectors.announce(block * order_.block(), order_.block());
    }
  };
  read(material_.vectors, held_);
  if (material_.with) read(*material_.with, held_b_);
}

void Feed::prepare_row(size_t at, int64_t row, int64_t slot, bool second) {
  const int64_t dims = adapter_.width(second);
  const std::vector<float>& held = second ? held_b_ : held_;
  const auto from = static_cast<size_t>((whole_ ? row : slot) * dims);
  adapter_.prepare({held.data() + from, static_cast<size_t>(dims)},
                   x_.data() + static_cast<int64_t>(at) * adapter_.stride, second);
}

// The second row of an entry, behind the first.
void Feed::add_partner(size_t at, int64_t row, int64_t slot) {
  if (material_.with) return prepare_row(at, row, slot, true);
  Rng rng({.seed = static_cast<uint64_t>(recipe_.train.seed),
           .epoch = static_cast<uint32_t>(epoch_),
           .sample = static_cast<uint64_t>(row),
           .view = kPartnerStream});
  if (recipe_.objective.positives == "neighbours") {
    const auto choice = rng.below(static_cast<uint64_t>(material_.neighbours.cols()));
    return prepare_row(at, material_.neighbours(row, static_cast<int64_t>(choice)), 0, false);
  }
  prepare_row(at, row, slot, false);
  float* const x = x_.data() + static_cast<int64_t>(at) * adapter_.stride;
  for (int64_t j = 0; j < adapter_.dims; ++j) x[j] += static_cast<float>(recipe_.objective.noise * rng.normal());
}

bool Feed::next(Batch& batch) {
  if (batch_ == batches()) return false;
  ++batch_;
  const auto entries = static_cast<size_t>(entries_of(recipe_));
  const bool partners = has_partners(recipe_);
  const size_t each = partners ? 2 : 1;
  const size_t rows = entries * each;
  x_.resize(rows * static_cast<size_t>(adapter_.stride));
  counts_.assign(rows, 1.0F);
  partners_.clear();
  sides_.clear();
  classes_.clear();
  const bool labels = recipe_.objective.positives == "labels" && recipe_.objective.contrast > 0;
  size_t done = 0;
  while (done < entries) {
    if (taken_ == places_.size()) open_window(window_ + 1);
    const size_t here = std::min(entries - done, places_.size() - taken_);
    parallel_for(static_cast<int64_t>(here), 64, static_cast<int>(recipe_.train.threads), [&](int64_t b, int64_t e) {
      for (auto n = static_cast<size_t>(b); n < static_cast<size_t>(e); ++n) {
        const RowOrder::Place& place = places_[taken_ + n];
        const size_t at = (done + n) * each;
        if (!material_.pairs.empty()) {
          const auto& [first, second] = material_.pairs[static_cast<size_t>(place.row)];
          prepare_row(at, first, 0, false);
          prepare_row(at + 1, second, 0, false);
          continue;
        }
        prepare_row(at, place.row, place.slot, false);
        if (partners) add_partner(at + 1, place.row, place.slot);
      }
    });
    if (labels) {
      for (size_t n = 0; n < here; ++n) {
        classes_.push_back(material_.labels[static_cast<size_t>(places_[taken_ + n].row)]);
      }
    }
    taken_ += here;
    done += here;
  }
  for (size_t i = 0; partners && i < rows; ++i) {
    partners_.push_back(static_cast<int32_t>(i ^ 1));
    if (material_.with) sides_.push_back(static_cast<uint8_t>(i & 1));
    if (recipe_.objective.positives == "noise" && (i & 1) == 1) counts_[i] = 0;
  }
  batch = {x_, counts_, {classes_, partners_, sides_}};
  return true;
}

}  // namespace orthant::adapt
