#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orthant/core/matrix.h"
#include "orthant/data/dataset.h"
#include "orthant/data/positives.h"

namespace orthant {

// A graph, and what is known of its nodes.
struct Graph {
  std::string name;                  // as DatasetInfo's
  std::vector<std::string> nodes;    // [N] names
  std::vector<Link> edges;           // between 0 .. N-1, undirected; several between the same two count together
  Matrix features = {};              // [N, F]; empty: none
  std::vector<int64_t> labels = {};  // [N], -1: none; empty: no labels at all
  std::vector<std::string> class_names = {};
  std::vector<std::string> splits = {};  // [N] of train, test, val and none; empty: published without
};

// The nodes as items. A node's vector is [2F]: its features, and behind them the mean of its neighbours', weighted by
// the edges (zeros for a node without any; an edge to itself makes no neighbour). Without features it is the node's
// number, for a table of free vectors of which every node has its own: info().nodes says how many rows that takes.
// Nodes that belong together are those of an edge.
//
// The split "train" are the nodes of train, "test" those of test, or of val where none is of test, and "all" is every
// node in its order: a graph is learned from as a whole, and the split is for what is asked about labels. Without
// splits standard_split() makes one. std::invalid_argument if parts do not fit each other; IoError for a split without
// nodes.
DatasetPtr make_graph_dataset(Graph graph, const std::string& split);

}  // namespace orthant
