#include "orthant/graph/partition.h"

#include <cmath>
#include <utility>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/core/rng.h"
#include "orthant/graph/graph_dataset.h"

namespace orthant {
namespace {

constexpr uint16_t kEdgeStream = 0xff20;
constexpr uint16_t kFeatureStream = 0xff21;

void check_options(const PartitionOptions& o) {
  check(o.nodes >= 2 && o.groups >= 2 && o.nodes % o.groups == 0 && o.nodes / o.groups >= 2,
        "[partition] expected groups of equal size, two nodes or more each, got ", o.nodes, " nodes in ", o.groups,
        " groups");
  check(o.features == 0 || o.features >= o.groups, "[partition] expected no features or one for each of ", o.groups,
        " groups, got ", o.features);
  const auto group = static_cast<double>(o.nodes / o.groups);
  const bool fits = o.inside >= 0 && o.outside >= 0 && o.inside < group - 1 &&
                    o.outside < static_cast<double>(o.nodes) - group && o.inside + o.outside > 0;
  check(fits, "[partition] expected fewer edges of a node than there are others, got ", o.inside, " inside and ",
        o.outside, " outside");
}

// Each of `count` pairs with the same probability, by the lengths of the gaps between them (Batagelj and Brandes 2005).
template <class Add>
void draw_pairs(int64_t count, double probability, Rng& rng, const Add& add) {
  if (probability <= 0) return;
  const double scale = 1 / std::log1p(-probability);
  double at = -1;
  for (;;) {
    at += 1 + std::floor(std::log1p(-rng.uniform()) * scale);
    if (at >= static_cast<double>(count)) return;
    add(static_cast<int64_t>(at));
  }
}

}  // namespace

double partition_snr(const PartitionOptions& o) {
  const auto groups = static_cast<double>(o.groups);
  const double c_in = groups * o.inside;
  const double c_out = groups * o.outside / (groups - 1);
  return (c_in - c_out) * (c_in - c_out) / (groups * groups * (o.inside + o.outside));
}

DatasetPtr make_partition(const PartitionOptions& o, const std::string& split) {
  check_options(o);
  Graph graph;
  graph.name = o.nodes == PartitionOptions{}.nodes ? "partition" : join("partition:", o.nodes);
  const int64_t size = o.nodes / o.groups;  // of a group
  const auto group = static_cast<double>(size);
  // Nodes of a group are those with the same remainder.
  for (int64_t i = 0; i < o.nodes; ++i) {
    graph.nodes.push_back(std::to_string(i));
    graph.labels.push_back(i % o.groups);
  }
  for (int64_t g = 0; g < o.groups; ++g) graph.class_names.push_back("group " + std::to_string(g));
  const double inside = o.inside / (group - 1);
  const double outside = o.outside / (static_cast<double>(o.nodes) - group);
  for (int64_t i = 0; i < o.nodes; ++i) {
    Rng rng({.seed = o.seed, .sample = static_cast<uint64_t>(i), .view = kEdgeStream});
    // Partners behind i: members of its own group, and all others in their order without it.
    const int64_t own_left = size - 1 - i / o.groups;
    draw_pairs(own_left, inside, rng, [&](int64_t k) { graph.edges.push_back({i, i + (k + 1) * o.groups, 1}); });
    const int64_t others_left = o.nodes - 1 - i - own_left;
    draw_pairs(others_left, outside, rng, [&](int64_t k) {
      graph.edges.push_back({i, i + 1 + k + k / (o.groups - 1), 1});
    });
  }
  if (o.features > 0) {
    graph.features = Matrix(o.nodes, o.features);
    for (int64_t i = 0; i < o.nodes; ++i) {
      Rng rng({.seed = o.seed, .sample = static_cast<uint64_t>(i), .view = kFeatureStream});
      for (float& value : graph.features.mutable_row(i)) value = static_cast<float>(rng.normal());
      graph.features(i, i % o.groups) += static_cast<float>(o.signal);
    }
  }
  return make_graph_dataset(std::move(graph), split);
}

}  // namespace orthant
