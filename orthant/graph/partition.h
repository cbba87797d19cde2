#pragma once

#include <cstdint>
#include <string>

#include "orthant/data/dataset.h"

namespace orthant {

// A planted partition: `nodes` nodes in groups of equal size, which are the labels. A node has on average `inside`
// edges to its own group and `outside` to all others together. Its features are Gaussian noise of deviation 1, shifted
// in the feature of its group by `signal`; with 0 features there are none. The communities can be found from the edges
// alone, as far as anyone knows, only above the Kesten-Stigum threshold, (a - b)^2 > k (a + (k - 1) b) with a = k
// inside / ... per pair; partition_snr() is the ratio of the two, and 1 the threshold (Decelle et al. 2011).
struct PartitionOptions {
  int64_t nodes = 4'000;
  int64_t groups = 10;
  double inside = 14;
  double outside = 6;
  int64_t features = 32;
  double signal = 1;
  uint64_t seed = 0;
};

// Which edges there are, and every number, is a function of the options. std::invalid_argument for groups that do not
// divide the nodes, fewer than two of either, more features than none but fewer than groups, or means that are negative
// or larger than a group holds.
DatasetPtr make_partition(const PartitionOptions& options, const std::string& split);

// How far above the threshold: (c_in - c_out)^2 / (k^2 c), where a node has c edges on average, and c_in / N and
// c_out / N are the probabilities of an edge within and between groups.
double partition_snr(const PartitionOptions& options);

}  // namespace orthant
