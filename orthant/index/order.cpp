#include "orthant/index/order.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "orthant/core/rng.h"
#include "orthant/core/threads.h"
#include "orthant/search/kernels.h"

namespace orthant::index {
namespace {

constexpr int64_t kGroups = 128;     // at a time, a multiple of 16
constexpr int64_t kSampled = 64;     // rows per group that the centres are found with
constexpr int kRounds = 5;           // of k-means
constexpr int64_t kTogether = 4096;  // smaller groups are split by one thread each
constexpr int kDeepest = 12;         // rows that do not fall apart are left as they are
constexpr int64_t kCells = 1 << 20;  // of a table of centres, which stays in the cache
constexpr uint16_t kStream = 0xff21;

// Centres [D, k], k a multiple of 16: those of one feature side by side.
class Centres {
 public:
  Centres(int64_t features, int64_t groups)
      : groups_(groups), width_((groups + 15) / 16 * 16), table_(static_cast<size_t>(features * width_)) {}

  // The centre that row i is nearest to, the first of equals; `sums` is scratch.
  int64_t nearest(const Features& features, int64_t i, std::vector<float>& sums) const {
    sums.assign(static_cast<size_t>(width_), 0);
    features.visit_row(i, [&](int64_t j, float x) {
      if (x != 0) search::add_column(table_.data() + j * width_, x, width_, sums.data());
    });
    return std::max_element(sums.begin(), sums.begin() + groups_) - sums.begin();
  }

  // Sets the centres that rows were assigned to, to the direction of their sum; others stay.
  void update(const Features& features, std::span<const float> scales, std::span<const uint32_t> rows,
              std::span<const int64_t> assigned) {
    std::vector<float> sums(table_.size());
    std::vector<bool> used(static_cast<size_t>(groups_));
    for (size_t n = 0; n < rows.size(); ++n) {
      const float scale = scales[rows[n]];
      used[static_cast<size_t>(assigned[n])] = true;
      features.visit_row(rows[n],
                         [&](int64_t j, float x) { sums[static_cast<size_t>(j * width_ + assigned[n])] += scale * x; });
    }
    std::vector<double> squares(static_cast<size_t>(width_));
    for (size_t at = 0; at < sums.size(); ++at) squares[at % squares.size()] += double{sums[at]} * sums[at];
    for (size_t at = 0; at < sums.size(); ++at) {
      const size_t group = at % squares.size();
      if (group >= used.size() || !used[group]) continue;
      table_[at] = squares[group] > 0 ? static_cast<float>(sums[at] / std::sqrt(squares[group])) : 0;
    }
  }

 private:
  int64_t groups_;
  int64_t width_;
  std::vector<float> table_;
};

class Orderer {
 public:
  Orderer(const Features& features, std::span<const float> scales, int64_t leaf)
      : features_(features), scales_(scales), leaf_(leaf) {}

  // Brings the rows of a group into order; `depth` and `first` tell it from all other groups.
  void split(std::span<uint32_t> rows, int depth, int64_t first, int threads,
             const std::function<void(int64_t)>& done) {
    const auto count = static_cast<int64_t>(rows.size());
    if (count <= leaf_ || depth == kDeepest) return done(count);
    // As many groups as make leaves at once, or as many as make all levels alike.
    const double leaves = static_cast<double>(count) / static_cast<double>(leaf_);
    const int64_t most = std::clamp(kCells / features_.cols() / 16 * 16, int64_t{16}, kGroups);
    const double levels = std::ceil(std::log(leaves) / std::log(static_cast<double>(most)) - 1e-9);
    const auto groups =
        std::clamp(static_cast<int64_t>(std::ceil(std::pow(leaves, 1 / std::max(1.0, levels)))), int64_t{2}, most);
    std::vector<int64_t> assigned(rows.size());
    {
      Centres centres = find_centres(rows, groups, depth, first, threads);
      assign(centres, rows, assigned, threads);
    }
    std::vector<int64_t> starts(static_cast<size_t>(groups) + 1);
    for (const int64_t group : assigned) ++starts[static_cast<size_t>(group) + 1];
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    std::vector<uint32_t> sorted(rows.size());
    std::vector<int64_t> next(starts.begin(), starts.end() - 1);
    for (size_t n = 0; n < rows.size(); ++n) {
      sorted[static_cast<size_t>(next[static_cast<size_t>(assigned[n])]++)] = rows[n];
    }
    std::ranges::copy(sorted, rows.begin());
    const auto part = [&](int64_t group, int with) {
      const int64_t begin = starts[static_cast<size_t>(group)];
      const int64_t size = starts[static_cast<size_t>(group) + 1] - begin;
      if (size == count) return done(count);  // alike, all of them
      split(rows.subspan(static_cast<size_t>(begin), static_cast<size_t>(size)), depth + 1, first + begin, with, done);
    };
    const auto size_of = [&](int64_t g) { return starts[static_cast<size_t>(g) + 1] - starts[static_cast<size_t>(g)]; };
    const bool alone = threads == 1;
    if (!alone) {
      for (int64_t g = 0; g < groups; ++g) {
        if (size_of(g) > kGroups * kTogether) part(g, threads);
      }
    }
    parallel_for(groups, 1, threads, [&](int64_t g, int64_t) {
      if (alone || size_of(g) <= kGroups * kTogether) part(g, 1);
    });
  }

 private:
  Centres find_centres(std::span<const uint32_t> rows, int64_t groups, int depth, int64_t first, int threads) const {
    Rng rng({.epoch = static_cast<uint32_t>(depth), .sample = static_cast<uint64_t>(first), .view = kStream});
    std::vector<uint32_t> sample(rows.begin(), rows.end());
    const auto wanted = std::min(sample.size(), static_cast<size_t>(groups * kSampled));
    for (size_t n = 0; n < wanted; ++n) std::swap(sample[n], sample[n + rng.below(sample.size() - n)]);
    sample.resize(wanted);
    Centres centres(features_.cols(), groups);
    std::vector<int64_t> assigned(wanted);
    std::iota(assigned.begin(), assigned.end(), 0);
    const auto starts = static_cast<size_t>(groups);
    centres.update(features_, scales_, std::span(sample).first(starts), std::span(assigned).first(starts));
    for (int round = 0; round < kRounds; ++round) {
      assign(centres, sample, assigned, threads);
      centres.update(features_, scales_, sample, assigned);
    }
    return centres;
  }

  void assign(const Centres& centres, std::span<const uint32_t> rows, std::vector<int64_t>& assigned,
              int threads) const {
    parallel_for(static_cast<int64_t>(rows.size()), 1024, threads, [&](int64_t begin, int64_t end) {
      std::vector<float> sums;
      for (int64_t n = begin; n < end; ++n) {
        assigned[static_cast<size_t>(n)] = centres.nearest(features_, rows[static_cast<size_t>(n)], sums);
      }
    });
  }

  const Features& features_;
  std::span<const float> scales_;
  int64_t leaf_;
};

}  // namespace

std::vector<uint32_t> similar_order(const Features& features, std::span<const float> scales, int64_t leaf, int threads,
                                    const std::function<void(int64_t rows)>& done) {
  std::vector<uint32_t> order(static_cast<size_t>(features.rows()));
  std::iota(order.begin(), order.end(), 0);
  Orderer(features, scales, leaf).split(order, 0, 0, resolve_threads(threads), done);
  return order;
}

}  // namespace orthant::index
