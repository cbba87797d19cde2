#include "orthant/graph/graph_dataset.h"

#include <algorithm>
#include <utility>

#include "orthant/core/error.h"
#include "orthant/data/selection.h"
#include "orthant/data/split.h"

namespace orthant {
namespace {

class GraphDataset final : public Dataset {
 public:
  explicit GraphDataset(Graph graph) : graph_(std::move(graph)) {
    const int64_t nodes = size();
    check(nodes > 0, "[", graph_.name, "] expected nodes, got none");
    check(graph_.features.size() == 0 || graph_.features.rows() == nodes, "[", graph_.name, "] expected features of ",
          nodes, " nodes, got ", graph_.features.rows());
    check(graph_.labels.empty() || std::ssize(graph_.labels) == nodes, "[", graph_.name, "] expected labels of ", nodes,
          " nodes, got ", graph_.labels.size());
    positives_ = link_positives(graph_.edges, nodes);
    find_neighbours();
    make_vectors();
    info_.name = graph_.name;
    info_.split = "all";
    info_.class_names = graph_.class_names;
    info_.graph = true;
    info_.dims = vectors_.cols();
    info_.nodes = graph_.features.size() == 0 ? nodes : 0;
    info_.facts = {
        {"edges", std::ssize(graph_.edges)},
        {"edges of a node to itself",
         std::ranges::count_if(graph_.edges, [](const Link& edge) { return edge.first == edge.second; })},
        {"nodes without an edge", std::ranges::count_if(neighbours_, [](const auto& own) { return own.empty(); })}};
    graph_.features = Matrix();
  }

  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return std::ssize(graph_.nodes); }
  std::span<const float> vector(int64_t i) const override {
    check_index(i);
    return vectors_.row(i);
  }
  int64_t label(int64_t i) const override {
    check_index(i);
    return graph_.labels.empty() ? -1 : graph_.labels[static_cast<size_t>(i)];
  }
  std::string id(int64_t i) const override {
    check_index(i);
    return graph_.nodes[static_cast<size_t>(i)];
  }
  std::vector<Linked> links(int64_t i) const override {
    check_index(i);
    return neighbours_[static_cast<size_t>(i)];
  }
  PositivesPtr positives() const override { return positives_; }

  std::vector<int64_t> nodes_of(const std::string& split) const {
    std::vector<int64_t> found;
    for (size_t i = 0; i < graph_.splits.size(); ++i) {
      if (graph_.splits[i] == split) found.push_back(static_cast<int64_t>(i));
    }
    return found;
  }
  bool has_splits() const { return !graph_.splits.empty(); }

 private:
  // Each neighbour once, with what all edges to it weigh.
  void find_neighbours() {
    neighbours_.resize(static_cast<size_t>(size()));
    for (const Link& edge : graph_.edges) {
      if (edge.first == edge.second || edge.weight == 0) continue;
      neighbours_[static_cast<size_t>(edge.first)].push_back({edge.second, edge.weight});
      neighbours_[static_cast<size_t>(edge.second)].push_back({edge.first, edge.weight});
    }
    for (std::vector<Linked>& own : neighbours_) {
      std::ranges::sort(own, {}, &Linked::item);
      size_t kept = 0;
      for (size_t k = 0; k < own.size(); ++k) {
        if (kept > 0 && own[kept - 1].item == own[k].item) {
          own[kept - 1].weight += own[k].weight;
        } else {
          own[kept++] = own[k];
        }
      }
      own.resize(kept);
    }
  }

  void make_vectors() {
    const int64_t features = graph_.features.cols();
    if (graph_.features.size() == 0) {
      vectors_ = Matrix(size(), 1);
      for (int64_t i = 0; i < size(); ++i) vectors_(i, 0) = static_cast<float>(i);
      return;
    }
    vectors_ = Matrix(size(), 2 * features);
    std::vector<double> mean(static_cast<size_t>(features));
    for (int64_t i = 0; i < size(); ++i) {
      std::ranges::copy(graph_.features.row(i), vectors_.mutable_data() + i * 2 * features);
      std::ranges::fill(mean, 0.0);
      double sum = 0;
      for (const Linked& other : neighbours_[static_cast<size_t>(i)]) {
        const auto row = graph_.features.row(other.item);
        for (size_t j = 0; j < mean.size(); ++j) mean[j] += other.weight * static_cast<double>(row[j]);
        sum += other.weight;
      }
      for (size_t j = 0; j < mean.size() && sum > 0; ++j) {
        vectors_(i, features + static_cast<int64_t>(j)) = static_cast<float>(mean[j] / sum);
      }
    }
  }

  Graph graph_;
  DatasetInfo info_;
  PositivesPtr positives_;
  std::vector<std::vector<Linked>> neighbours_;
  Matrix vectors_;
};

}  // namespace

DatasetPtr make_graph_dataset(Graph graph, const std::string& split) {
  check_split(split, graph.name);
  const auto whole = std::make_shared<const GraphDataset>(std::move(graph));
  if (!whole->has_splits()) return standard_split(whole, split);
  const std::vector<int64_t> train = whole->nodes_of("train");
  std::vector<int64_t> test = whole->nodes_of("test");
  if (test.empty()) test = whole->nodes_of("val");
  DatasetInfo info = whole->info();
  info.split = split;
  info.splits = {{"train", std::ssize(train)}, {"test", std::ssize(test)}, {"all", whole->size()}};
  std::vector<int64_t> items = split == "train" ? train : test;
  if (split == "all") {
    items.resize(static_cast<size_t>(whole->size()));
    for (size_t i = 0; i < items.size(); ++i) items[i] = static_cast<int64_t>(i);
  }
  check_io(!items.empty(), "[", info.name, "] expected nodes of the split ", split, ", got none");
  return std::make_shared<Selection>(whole, std::move(items), std::move(info));
}

}  // namespace orthant
