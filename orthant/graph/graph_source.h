#pragma once

#include <string>

#include "orthant/data/dataset.h"

namespace orthant {

// What stands behind "edges:", FILE[,FEATURES][,LABELS]:
//   FILE      an edge list: see orthant/io/edge_list.h
//   FEATURES  of nodes: text (orthant/graph/node_files.h), or a .npy array of floats [N, F], whose row i is that of the
//             node called i
//   LABELS    of nodes: text
// A single second file is one of features if it is a .npy, or if its first line looks like that; otherwise of labels.
struct GraphSource {
  std::string file;
  std::string features;  // empty: none
  std::string labels;    // empty: none
};

// Takes a name apart; a comma that is part of an existing file's name separates nothing. std::invalid_argument for more
// than three files.
GraphSource parse_graph_source(const std::string& path);
std::string to_string(const GraphSource& source);

// Opens the split "train", "test" or "all". Nodes that only features or labels name are nodes without an edge; nodes
// without features have zeros, and those without a label none. Nodes stand in the order of their numbers if all are
// called by one, otherwise in that of the edge list, followed by the others. IoError for what is wrong with a file; see
// orthant/io/edge_list.h, orthant/graph/node_files.h and orthant/graph/graph_dataset.h.
DatasetPtr open_graph(const GraphSource& source, const std::string& split);

}  // namespace orthant
