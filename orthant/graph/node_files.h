#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace orthant {

// What a file says of some nodes, by their names. Files are text in UTF-8, a node in each line; empty lines and those
// that begin with '#' or '%' are passed over. Fields are separated by tabs if the first line has one, otherwise by
// commas if it has one, otherwise by runs of blanks.

// A line "node i:v i:v ...": the features of a node that are not zero, i from 0.
struct NodeFeatures {
  std::vector<std::string> nodes;
  std::vector<std::vector<std::pair<int64_t, float>>> rows;  // rising in i
  int64_t dims = 0;                                          // the largest i, and one more
};

// A line "node label [split]": split is train, test, val (or dev, valid, validation) or none.
struct NodeLabels {
  struct Row {
    std::string node;
    std::string label;
    std::string split;  // train, test, val or none; empty: the line has none
  };
  std::vector<Row> rows;
};

// IoError naming file and line for a node that comes twice, what is not "i:v" with a whole number below 2^20 and a
// finite value, an i that comes twice, a label that is missing, a split that is none, or some lines with a split and
// others without; and for what is not UTF-8 or holds zero bytes.
NodeFeatures parse_node_features(std::string_view text, const std::string& path);
NodeLabels parse_node_labels(std::string_view text, const std::string& path);

NodeFeatures read_node_features(const std::string& path);
NodeLabels read_node_labels(const std::string& path);

// Whether the text is one of features: its first line has a second field with a colon.
bool looks_like_node_features(std::string_view text);

}  // namespace orthant
