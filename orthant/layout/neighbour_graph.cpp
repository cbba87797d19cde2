#include "orthant/layout/neighbour_graph.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/core/threads.h"

namespace orthant::layout {
namespace {

constexpr int64_t kGrain = 256;
constexpr double kLeastSigma = 1e-3;  // of the mean distance
constexpr double kCrowded = 1.01;     // times the sum wanted: what bisection cannot explain

void check_neighbours(const search::Neighbours& neighbours, int64_t rows, int64_t k) {
  check(neighbours.queries() == rows && neighbours.scores.rows() == rows && neighbours.scores.cols() == neighbours.k(),
        "[umap_layout] expected neighbours of ", rows, " items, got ", neighbours.queries());
  check(neighbours.k() >= k, "[umap_layout] expected at least ", k, " neighbours of each item, got ", neighbours.k());
  check(neighbours.self_excluded || rows < 2, "[umap_layout] expected neighbours without the item itself");
  const auto known = [&](int32_t j) { return j >= 0 && j < rows; };
  check(std::ranges::all_of(neighbours.indices.values(), known), "[umap_layout] expected neighbours below ", rows,
        ", got others");
  check(std::ranges::all_of(neighbours.scores.values(), [](float x) { return std::isfinite(x); }),
        "[umap_layout] expected finite scores of neighbours, got some that are not");
}

// The scale at which the weights add up to `wanted`, by bisection: the sum rises with it.
double sigma_of(std::span<const double> beyond, double wanted) {
  double low = 0;
  double high = INFINITY;
  double sigma = 1;
  for (int step = 0; step < 64; ++step) {
    double sum = 0;
    for (const double d : beyond) sum += d > 0 ? std::exp(-d / sigma) : 1;
    if (std::abs(sum - wanted) < 1e-5) break;
    if (sum > wanted) {
      high = sigma;
      sigma = (low + high) / 2;
    } else {
      low = sigma;
      sigma = std::isinf(high) ? sigma * 2 : (low + high) / 2;
    }
  }
  return sigma;
}

// What the weights of so many neighbours add up to.
double reach_of(size_t count) { return std::max(std::log2(static_cast<double>(count)), 1.0); }

// Weights of one item's neighbours from their distances, in place.
void weigh(std::span<double> distances) {
  double rho = INFINITY;
  for (const double d : distances) rho = d > 0 ? std::min(rho, d) : rho;
  const double mean = std::accumulate(distances.begin(), distances.end(), 0.0) / static_cast<double>(distances.size());
  for (double& d : distances) d = std::max(d - rho, 0.0);
  const double wanted = reach_of(distances.size());
  const double sigma = std::max(sigma_of(distances, wanted), kLeastSigma * mean);
  for (double& d : distances) d = d > 0 ? std::exp(-d / sigma) : 1;
  const double sum = std::accumulate(distances.begin(), distances.end(), 0.0);
  if (sum < wanted * kCrowded) return;
  for (double& d : distances) d *= wanted / sum;
}

struct Edge {
  int32_t to = 0;
  float weight = 0;
};
using Edges = std::vector<std::vector<Edge>>;

std::vector<int32_t> empty_rows(const Features& features) {
  std::vector<int32_t> empty;
  for (int64_t i = 0; i < features.rows(); ++i) {
    if (!(features.row_norm(i) > 0)) empty.push_back(static_cast<int32_t>(i));
  }
  return empty;
}

void connect_ring(std::span<const int32_t> empty, int64_t k, Edges& edges) {
  const size_t reach = std::min(static_cast<size_t>(k), empty.size() - std::min<size_t>(empty.size(), 1));
  const auto weight = static_cast<float>(reach_of(reach) / static_cast<double>(std::max<size_t>(reach, 1)));
  for (size_t n = 0; n < empty.size(); ++n) {
    for (size_t step = 1; step <= reach; ++step) {
      edges[static_cast<size_t>(empty[n])].push_back({empty[(n + step) % empty.size()], weight});
    }
  }
}

Edges directed(const Features& features, const search::Neighbours& neighbours, int64_t k, int threads) {
  Edges edges(static_cast<size_t>(features.rows()));
  const std::vector<int32_t> empty = empty_rows(features);
  std::vector<char> filled(edges.size(), 1);
  for (const int32_t i : empty) filled[static_cast<size_t>(i)] = 0;
  const auto distance = [&](int64_t i, int64_t n) {
    return std::max(1 - static_cast<double>(neighbours.scores(i, n)), 0.0);
  };
  parallel_for(features.rows(), kGrain, threads, [&](int64_t begin, int64_t end) {
    std::vector<double> weights;
    for (int64_t i = begin; i < end; ++i) {
      auto& row = edges[static_cast<size_t>(i)];
      weights.clear();
      if (filled[static_cast<size_t>(i)] == 0) continue;
      for (int64_t n = 0; n < k; ++n) {
        const int32_t to = neighbours.indices(i, n);
        if (filled[static_cast<size_t>(to)] == 0 || to == i) continue;
        row.push_back({to, 0});
        weights.push_back(distance(i, n));
      }
      if (row.empty()) continue;
      weigh(weights);
      for (size_t n = 0; n < row.size(); ++n) row[n].weight = static_cast<float>(weights[n]);
    }
  });
  connect_ring(empty, k, edges);
  return edges;
}

void sort_by_target(std::vector<Edge>& row) {
  std::ranges::sort(row, [](const Edge& a, const Edge& b) { return a.to < b.to; });
}

}  // namespace

SparseMatrix neighbour_graph(const Features& features, const search::Neighbours& neighbours, int64_t k, int threads) {
  k = std::min(k, std::max<int64_t>(features.rows() - 1, 0));
  check_neighbours(neighbours, features.rows(), k);
  Edges edges = directed(features, neighbours, k, threads);
  Edges reverse(edges.size());
  for (size_t i = 0; i < edges.size(); ++i) {
    for (const Edge& edge : edges[i]) {
      reverse[static_cast<size_t>(edge.to)].push_back({static_cast<int32_t>(i), edge.weight});
    }
  }
  parallel_for(features.rows(), kGrain, threads, [&](int64_t begin, int64_t end) {
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
      auto& row = edges[i];
      row.insert(row.end(), reverse[i].begin(), reverse[i].end());
      sort_by_target(row);
      size_t kept = 0;
      for (const Edge& edge : row) {
        if (!(edge.weight > 0)) continue;
        if (kept > 0 && row[kept - 1].to == edge.to) {
          float& weight = row[kept - 1].weight;
          const float larger = std::max(weight, edge.weight);
          weight = larger + std::min(weight, edge.weight) * (1 - larger);  // p + q - p q, exactly 1 if either is
        } else {
          row[kept++] = edge;
        }
      }
      row.resize(kept);
    }
  });
  std::vector<int64_t> offsets = {0};
  std::vector<int32_t> columns;
  std::vector<float> weights;
  for (const auto& row : edges) {
    for (const Edge& edge : row) {
      columns.push_back(edge.to);
      weights.push_back(edge.weight);
    }
    offsets.push_back(static_cast<int64_t>(columns.size()));
  }
  return {features.rows(), features.rows(), std::move(offsets), std::move(columns), std::move(weights)};
}

}  // namespace orthant::layout
