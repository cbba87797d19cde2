#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace orthant::io {

// The edges of a graph, in the order of the file: edge e joins nodes from[e] and to[e] with weights[e]. Nodes are
// numbered in the order in which their names first appear. Nothing is merged: an edge may occur twice, and a node may
// be joined to itself.
struct EdgeList {
  std::vector<std::string> nodes;
  std::vector<int32_t> from;
  std::vector<int32_t> to;
  std::vector<double> weights;

  bool operator==(const EdgeList&) const = default;
};

// Reads an edge list: text, one edge per line, two node names and an optional weight (1 if absent). A line with a
// single name declares a node without edges. Empty lines and lines that begin with '#' or '%' are skipped; so are a
// byte order mark and the '\r' of Windows. Names are any text without the separator: a tab if the first line with an
// edge has one, otherwise a comma, otherwise runs of spaces; blanks around a name are dropped.
//
// Throws IoError naming file and line for more than three fields, an empty name, a weight that is not a finite number
// of 0 or more (the first line of a CSV file with column names is such a line: begin it with '#'), a control
// character; and for a file without any edge, or with 2^31 nodes or more.
EdgeList read_edge_list(const std::string& path);

// The same of text in memory, called `name` in messages.
EdgeList parse_edge_list(std::string_view text, const std::string& name);

}  // namespace orthant::io
