#include "orthant/graph/graph_source.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>
#include <unordered_map>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/graph/graph_dataset.h"
#include "orthant/graph/node_files.h"
#include "orthant/io/edge_list.h"
#include "orthant/io/mapped_file.h"
#include "orthant/io/npy.h"

namespace orthant {
namespace {

constexpr size_t kLongestNumber = 9;  // digits: below 2^31

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

bool holds_features(const std::string& path) {
  if (path.ends_with(".npy")) return true;
  if (!exists(path)) return false;  // which opening it tells
  const auto file = io::MappedFile::open(path);
  const auto bytes = file->bytes();
  return looks_like_node_features({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

// "0", "17": a whole number as one writes it.
bool is_number(const std::string& name) {
  const bool digits = std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
  return digits && name.size() <= kLongestNumber && (name.size() == 1 || name.front() != '0');
}

// The nodes of all files, each once.
class Nodes {
 public:
  explicit Nodes(std::vector<std::string> names) : names_(std::move(names)) {
    for (size_t i = 0; i < names_.size(); ++i) place_.emplace(names_[i], static_cast<int64_t>(i));
  }

  int64_t add(const std::string& name) {
    const auto [found, is_new] = place_.try_emplace(name, std::ssize(names_));
    if (is_new) names_.push_back(name);
    return found->second;
  }

  bool numbered() const { return std::ranges::all_of(names_, is_number); }
  const std::vector<std::string>& names() const { return names_; }
  int64_t place(const std::string& name) const { return place_.at(name); }

  // In the order of their numbers, if all have one. Returns where each node was before.
  std::vector<int64_t> order() const {
    std::vector<int64_t> order(names_.size());
    std::iota(order.begin(), order.end(), int64_t{0});
    if (numbered()) {
      std::ranges::sort(order, {}, [this](int64_t i) { return std::stoll(names_[static_cast<size_t>(i)]); });
    }
    return order;
  }

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, int64_t> place_;
};

// Rows of an array are those of the nodes called by their numbers; rows of other nodes are nodes without an edge.
Matrix read_rows(const std::string& path, Nodes& nodes) {
  Matrix rows = io::read_npy_matrix(path);
  for (const float value : rows.values()) {
    check_io(std::isfinite(value), "[", path, "] expected finite features, got NaN or infinity");
  }
  check_io(nodes.numbered(), "[", path, "] expected nodes called by the number of their row, got others; ",
           "features of named nodes are text: 'node i:v ...'");
  for (const std::string& name : nodes.names()) {
    check_io(std::stoll(name) < rows.rows(), "[", path, "] expected nodes from 0 to ", rows.rows() - 1,
             ", as it has rows, got ", name);
  }
  for (int64_t i = 0; i < rows.rows(); ++i) nodes.add(std::to_string(i));
  return rows;
}

Matrix dense(const NodeFeatures& features, const Nodes& nodes, const std::string& path) {
  constexpr int64_t kMost = int64_t{1} << 31;
  check_io(std::ssize(nodes.names()) <= kMost / std::max<int64_t>(features.dims, 1), "[", path,
           "] expected at most 2^31 entries of nodes x features, got ", std::ssize(nodes.names()), " x ",
           features.dims);
  Matrix rows(std::ssize(nodes.names()), features.dims);
  for (size_t k = 0; k < features.nodes.size(); ++k) {
    const int64_t node = nodes.place(features.nodes[k]);
    for (const auto& [place, value] : features.rows[k]) rows(node, place) = value;
  }
  return rows;
}

void take_labels(const NodeLabels& labels, const Nodes& nodes, Graph& graph) {
  std::map<std::string, int64_t> classes;
  for (const auto& row : labels.rows) classes.emplace(row.label, 0);
  for (const auto& [name, number] : classes) graph.class_names.push_back(name);
  if (std::ranges::all_of(graph.class_names, is_number)) {
    std::ranges::sort(graph.class_names, {}, [](const std::string& name) { return std::stoll(name); });
  }
  for (size_t c = 0; c < graph.class_names.size(); ++c) classes[graph.class_names[c]] = static_cast<int64_t>(c);
  graph.labels.assign(nodes.names().size(), -1);
  const bool split = !labels.rows.front().split.empty();
  if (split) graph.splits.assign(nodes.names().size(), "none");
  for (const auto& row : labels.rows) {
    const auto place = static_cast<size_t>(nodes.place(row.node));
    graph.labels[place] = classes.at(row.label);
    if (split) graph.splits[place] = row.split;
  }
}

template <class T>
std::vector<T> reordered(const std::vector<T>& values, const std::vector<int64_t>& order) {
  std::vector<T> turned;
  for (const int64_t place : order) {
    if (!values.empty()) turned.push_back(values[static_cast<size_t>(place)]);
  }
  return turned;
}

// Node k becomes the one that was at order[k].
void reorder(Graph& graph, const std::vector<int64_t>& order) {
  std::vector<int64_t> now(order.size());
  for (size_t k = 0; k < order.size(); ++k) now[static_cast<size_t>(order[k])] = static_cast<int64_t>(k);
  for (Link& edge : graph.edges) {
    edge.first = now[static_cast<size_t>(edge.first)];
    edge.second = now[static_cast<size_t>(edge.second)];
  }
  graph.nodes = reordered(graph.nodes, order);
  graph.labels = reordered(graph.labels, order);
  graph.splits = reordered(graph.splits, order);
}

}  // namespace

GraphSource parse_graph_source(const std::string& path) {
  GraphSource source{path, {}, {}};
  std::vector<std::string> more;
  while (!exists(source.file)) {
    const size_t comma = source.file.rfind(',');
    if (comma == std::string::npos) break;
    more.insert(more.begin(), source.file.substr(comma + 1));
    source.file.resize(comma);
  }
  check(more.size() <= 2 && std::ranges::none_of(more, &std::string::empty),
        "[edges] expected edges:FILE[,FEATURES][,LABELS], got ", path);
  if (more.size() == 2) {
    source.features = more[0];
    source.labels = more[1];
  } else if (more.size() == 1) {
    (holds_features(more[0]) ? source.features : source.labels) = more[0];
  }
  return source;
}

std::string to_string(const GraphSource& source) {
  std::string text = source.file;
  for (const std::string& file : {source.features, source.labels}) text += file.empty() ? "" : "," + file;
  return text;
}

DatasetPtr open_graph(const GraphSource& source, const std::string& split) {
  io::EdgeList list = io::read_edge_list(source.file);
  Nodes nodes(std::move(list.nodes));
  Graph graph;
  graph.name = "edges:" + to_string(source);
  for (size_t e = 0; e < list.from.size(); ++e) graph.edges.push_back({list.from[e], list.to[e], list.weights[e]});
  NodeFeatures features;
  Matrix rows;
  NodeLabels labels;
  if (source.features.ends_with(".npy")) {
    rows = read_rows(source.features, nodes);
  } else if (!source.features.empty()) {
    features = read_node_features(source.features);
    for (const std::string& node : features.nodes) nodes.add(node);
  }
  if (!source.labels.empty()) {
    labels = read_node_labels(source.labels);
    for (const auto& row : labels.rows) {
      check_io(rows.size() == 0 || (is_number(row.node) && std::stoll(row.node) < rows.rows()), "[", source.labels,
               "] expected nodes from 0 to ", rows.rows() - 1, ", as ", source.features, " has rows, got ", row.node);
      nodes.add(row.node);
    }
    take_labels(labels, nodes, graph);
  }
  graph.nodes = nodes.names();
  const std::vector<int64_t> order = nodes.order();
  reorder(graph, order);
  if (features.dims > 0) {
    const Matrix before = dense(features, nodes, source.features);
    rows = Matrix(before.rows(), before.cols());
    for (size_t k = 0; k < order.size(); ++k) {
      std::ranges::copy(before.row(order[k]), rows.mutable_row(static_cast<int64_t>(k)).begin());
    }
  }
  graph.features = std::move(rows);
  return make_graph_dataset(std::move(graph), split);
}

}  // namespace orthant
