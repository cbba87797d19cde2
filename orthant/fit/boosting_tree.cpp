#include "orthant/fit/boosting_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "orthant/core/threads.h"

namespace orthant::fit {
namespace {

// Splits that reduce the mean squared error by less are rounding noise of float sums: residuals are at most 1.
constexpr double kLeastGain = 1e-9;

// Each lane's best split of one column at the root. Friedman's criterion with n items and residual sum S in all, of
// which n_l and S_l on the left: (n S_l - n_l S)^2 / (n n_l n_r), which is the reduction of the squared error.
struct ColumnBest {
  std::array<double, kLanes> gain = {};
  std::array<uint8_t, kLanes> bin = {};
};

void accumulate_column(const BinnedCodes& codes, int64_t j, std::span<const float> residuals,
                       const std::array<double, kLanes>& totals, float* sums) {
  std::fill_n(sums, codes.bins(j) * kLanes, 0.0F);
  const auto entries = codes.column(j);
  for (size_t e = 0; e < entries.rows.size(); ++e) {
    float* cell = sums + entries.bins[e] * kLanes;
    const float* residual = residuals.data() + entries.rows[e] * kLanes;
    for (int64_t lane = 0; lane < kLanes; ++lane) cell[lane] += residual[lane];
  }
  std::array<double, kLanes> rest = totals;
  for (int64_t b = 0; b < codes.bins(j); ++b) {
    for (size_t lane = 0; lane < kLanes; ++lane) rest[lane] -= sums[static_cast<size_t>(b * kLanes) + lane];
  }
  float* cell = sums + codes.default_bin(j) * kLanes;
  for (size_t lane = 0; lane < kLanes; ++lane) cell[lane] = static_cast<float>(rest[lane]);
}

ColumnBest scan_column(const BinnedCodes& codes, int64_t j, const std::array<double, kLanes>& totals,
                       const float* sums) {
  ColumnBest best;
  std::array<double, kLanes> bin = {};
  std::array<double, kLanes> left = {};
  const auto n = static_cast<double>(codes.rows());
  double n_left = 0;
  for (int64_t b = 0; b + 1 < codes.bins(j); ++b) {
    n_left += static_cast<double>(codes.counts()[static_cast<size_t>(codes.offset(j) + b)]);
    const double scale = 1 / (n * n_left * (n - n_left));
    const auto number = static_cast<double>(b);
    for (size_t lane = 0; lane < kLanes; ++lane) {
      left[lane] += sums[static_cast<size_t>(b * kLanes) + lane];
      const double difference = n * left[lane] - n_left * totals[lane];
      const double gain = difference * difference * scale;
      bin[lane] = gain > best.gain[lane] ? number : bin[lane];
      best.gain[lane] = gain > best.gain[lane] ? gain : best.gain[lane];
    }
  }
  std::ranges::transform(bin, best.bin.begin(), [](double b) { return static_cast<uint8_t>(b); });
  return best;
}

}  // namespace

double tree_value(const Tree& tree, std::span<const uint8_t> binned, int64_t items, int64_t i) {
  size_t n = 0;
  while (tree.nodes[n].column >= 0) {
    const uint8_t bin = binned[static_cast<size_t>(tree.nodes[n].column * items + i)];
    n = 2 * n + (bin > tree.nodes[n].bin ? 2 : 1);
  }
  return tree.nodes[n].value;
}

void fill_root(const BinnedCodes& codes, std::span<const float> residuals, int threads, RootHistogram& root) {
  root.sums.resize(static_cast<size_t>(codes.all_bins() * kLanes));
  root.totals.fill(0);
  for (size_t i = 0; i < residuals.size(); i += kLanes) {
    for (size_t lane = 0; lane < kLanes; ++lane) root.totals[lane] += residuals[i + lane];
  }
  std::vector<ColumnBest> found(static_cast<size_t>(codes.cols()));
  parallel_for(codes.cols(), 4, threads, [&](int64_t begin, int64_t end) {
    for (int64_t j = begin; j < end; ++j) {
      float* sums = root.sums.data() + codes.offset(j) * kLanes;
      accumulate_column(codes, j, residuals, root.totals, sums);
      found[static_cast<size_t>(j)] = scan_column(codes, j, root.totals, sums);
    }
  });
  root.best.fill({.gain = kLeastGain * static_cast<double>(codes.rows())});
  for (size_t j = 0; j < found.size(); ++j) {
    for (size_t lane = 0; lane < kLanes; ++lane) {
      if (found[j].gain[lane] <= root.best[lane].gain) continue;
      root.best[lane] = {
          .column = static_cast<int32_t>(j), .bin = found[j].bin[lane], .gain = found[j].gain[lane], .value = 0};
    }
  }
}

TreeGrower::TreeGrower(const BinnedCodes& codes)
    : codes_(codes), items_(static_cast<size_t>(codes.rows())), goes_right_(items_.size()) {
  for (Cells& cells : cells_) cells.resize(static_cast<size_t>(codes.all_bins()));
}

Tree TreeGrower::grow(const RootHistogram& root, int64_t lane, std::span<const float> residual,
                      std::span<const float> curvature, double scale, std::span<double> fitted) {
  root_ = &root;
  lane_ = lane;
  residual_ = residual;
  curvature_ = curvature;
  scale_ = scale;
  fitted_ = fitted;
  tree_ = {};
  std::iota(items_.begin(), items_.end(), 0);
  grow_root();
  return tree_;
}

void TreeGrower::grow_root() {
  const Part all{.end = items_.size(), .sum = root_->totals[static_cast<size_t>(lane_)]};
  tree_.nodes[0] = root_->best[static_cast<size_t>(lane_)];
  if (tree_.nodes[0].column < 0) return make_leaf(all);
  const auto [small, large] = children(all);
  accumulate(small, cells_[0]);
  for (size_t b = 0; b < cells_[1].size(); ++b) {
    const float sum = root_->sums[b * kLanes + static_cast<size_t>(lane_)];
    cells_[1][b] = {sum - cells_[0][b].sum, static_cast<float>(codes_.counts()[b]) - cells_[0][b].count};
  }
  grow_part(small, cells_[0], &cells_[2]);
  grow_part(large, cells_[1], &cells_[2]);
}

void TreeGrower::grow_part(const Part& part, Cells& cells, Cells* spare) {
  tree_.nodes[part.node] = best_split(cells, part);
  if (tree_.nodes[part.node].column < 0) return make_leaf(part);
  const auto [small, large] = children(part);
  if (small.depth == kTreeDepth) {
    make_leaf(small);
    make_leaf(large);
    return;
  }
  accumulate(small, *spare);
  for (size_t b = 0; b < cells.size(); ++b) {
    cells[b].sum -= (*spare)[b].sum;
    cells[b].count -= (*spare)[b].count;
  }
  grow_part(small, *spare, nullptr);
  grow_part(large, cells, nullptr);
}

// The smaller part first: only its histogram is taken, the other's is what remains.
std::array<TreeGrower::Part, 2> TreeGrower::children(const Part& part) {
  const size_t middle = divide(tree_.nodes[part.node], part);
  const auto child = [&](size_t node, size_t begin, size_t end) {
    Part made{.node = node, .depth = part.depth + 1, .begin = begin, .end = end, .sum = 0};
    for (size_t k = begin; k < end; ++k) made.sum += residual_[static_cast<size_t>(items_[k])];
    return made;
  };
  const Part left = child(2 * part.node + 1, part.begin, middle);
  const Part right = child(2 * part.node + 2, middle, part.end);
  if (right.end - right.begin < left.end - left.begin) return {right, left};
  return {left, right};
}

size_t TreeGrower::divide(const Tree::Node& split, const Part& part) {
  std::ranges::fill(goes_right_, codes_.default_bin(split.column) > split.bin);
  const auto entries = codes_.column(split.column);
  for (size_t e = 0; e < entries.rows.size(); ++e) {
    goes_right_[static_cast<size_t>(entries.rows[e])] = entries.bins[e] > split.bin;
  }
  right_.clear();
  size_t middle = part.begin;
  for (size_t k = part.begin; k < part.end; ++k) {
    const int32_t item = items_[k];
    if (goes_right_[static_cast<size_t>(item)] != 0) {
      right_.push_back(item);
    } else {
      items_[middle++] = item;
    }
  }
  std::ranges::copy(right_, items_.begin() + static_cast<int64_t>(middle));
  return middle;
}

void TreeGrower::accumulate(const Part& part, Cells& cells) const {
  std::ranges::fill(cells, Cell{});
  for (size_t k = part.begin; k < part.end; ++k) {
    const float residual = residual_[static_cast<size_t>(items_[k])];
    for (const uint32_t b : codes_.row(items_[k])) {
      cells[b].sum += residual;
      cells[b].count += 1;
    }
  }
  for (int64_t j = 0; j < codes_.cols(); ++j) {
    Cell* column = cells.data() + codes_.offset(j);
    double sum = part.sum;
    float count = static_cast<float>(part.end - part.begin);
    for (int64_t b = 0; b < codes_.bins(j); ++b) {
      sum -= column[b].sum;
      count -= column[b].count;
    }
    column[codes_.default_bin(j)] = {static_cast<float>(sum), count};
  }
}

Tree::Node TreeGrower::best_split(const Cells& cells, const Part& part) const {
  const auto n = static_cast<double>(part.end - part.begin);
  Tree::Node best;
  // Gains are compared as fractions: a division per bin is what the search would mostly consist of.
  double best_over = kLeastGain * n * n;
  double best_under = 1;
  for (int64_t j = 0; j < codes_.cols(); ++j) {
    const Cell* column = cells.data() + codes_.offset(j);
    double n_left = 0;
    double left = 0;
    for (int64_t b = 0; b + 1 < codes_.bins(j); ++b) {
      if (column[b].count == 0) continue;
      n_left += column[b].count;
      left += column[b].sum;
      if (n_left == n) break;
      const double difference = n * left - n_left * part.sum;
      const double over = difference * difference;
      const double under = n_left * (n - n_left);
      if (over * best_under <= best_over * under) continue;
      best_over = over;
      best_under = under;
      best.column = static_cast<int32_t>(j);
      best.bin = static_cast<uint8_t>(b);
    }
  }
  best.gain = best.column < 0 ? 0 : best_over / (best_under * n);
  return best;
}

void TreeGrower::make_leaf(const Part& part) {
  double curvature = 0;
  for (size_t k = part.begin; k < part.end; ++k) curvature += curvature_[static_cast<size_t>(items_[k])];
  const double value = std::abs(curvature) < 1e-30 ? 0 : scale_ * part.sum / curvature;
  tree_.nodes[part.node] = {.value = value};
  for (size_t k = part.begin; k < part.end; ++k) fitted_[static_cast<size_t>(items_[k])] = value;
}

}  // namespace orthant::fit
