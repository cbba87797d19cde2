#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "orthant/fit/boosting_bins.h"

namespace orthant::fit {

// A regression tree of at most kTreeDepth levels of splits, complete: the children of node n are 2n + 1 and 2n + 2.
inline constexpr int kTreeDepth = 3;
struct Tree {
  struct Node {
    int32_t column = -1;  // -1: a leaf
    uint8_t bin = 0;      // up to here left, above right
    double gain = 0;      // reduction of the squared error by this split, summed over its items
    double value = 0;     // of a leaf
  };
  std::array<Node, (size_t{2} << kTreeDepth) - 1> nodes;
};

// The value of the leaf that item i of `binned` [D, M] falls into.
double tree_value(const Tree& tree, std::span<const uint8_t> binned, int64_t items, int64_t i);

// Trees are grown for several outputs at once where they can be: all of them see the same items at the root, and its
// histogram, the dearest of a tree's, is then taken kLanes at a time.
inline constexpr int64_t kLanes = 16;

// For each bin of all columns and each lane, the sum of the residuals in it; and each lane's best split of the root.
struct RootHistogram {
  std::vector<float> sums;                 // [all_bins, kLanes]
  std::array<double, kLanes> totals = {};  // sum of residuals over all items
  std::array<Tree::Node, kLanes> best;     // column -1 where no split reduces the error
};

// Fills `root` from residuals [N, kLanes] of unused lanes 0. Does not depend on the number of threads.
void fill_root(const BinnedCodes& codes, std::span<const float> residuals, int threads, RootHistogram& root);

// Grows one tree at a time, by the largest reduction of squared error (the first column, then the lowest bin, of equal
// ones), down to items that all have the same residual. Keeps its scratch memory, 24 bytes per bin, between trees; one
// thread at a time.
class TreeGrower {
 public:
  explicit TreeGrower(const BinnedCodes& codes);

  // A leaf's value is scale * sum of residuals / sum of curvatures, 0 if the latter is (nearly) 0. residual, curvature:
  // [N] of this output; every item's leaf value is written to `fitted` [N].
  Tree grow(const RootHistogram& root, int64_t lane, std::span<const float> residual, std::span<const float> curvature,
            double scale, std::span<double> fitted);

 private:
  struct Cell {
    float sum = 0;
    float count = 0;
  };
  using Cells = std::vector<Cell>;  // [all_bins]

  // A node during growth: its items are items_[begin, end).
  struct Part {
    size_t node = 0;
    int depth = 0;
    size_t begin = 0;
    size_t end = 0;
    double sum = 0;
  };

  Tree::Node best_split(const Cells& cells, const Part& part) const;
  size_t divide(const Tree::Node& split, const Part& part);
  void accumulate(const Part& part, Cells& cells) const;
  void grow_root();
  void grow_part(const Part& part, Cells& cells, Cells* spare);
  std::array<Part, 2> children(const Part& part);
  void make_leaf(const Part& part);

  const BinnedCodes& codes_;
  std::vector<int32_t> items_;
  std::vector<int32_t> right_;
  std::vector<uint8_t> goes_right_;
  std::array<Cells, 3> cells_;
  const RootHistogram* root_ = nullptr;
  int64_t lane_ = 0;
  std::span<const float> residual_;
  std::span<const float> curvature_;
  double scale_ = 0;
  std::span<double> fitted_;
  Tree tree_;
};

}  // namespace orthant::fit
