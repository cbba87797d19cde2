#include "orthant/measure/official_retrieval.h"

#include <algorithm>
#include <numeric>

#include "orthant/core/error.h"
#include "orthant/measure/neighbours.h"

namespace orthant::measure {
namespace {

constexpr int64_t kPlaces = 10;

void scale_row(std::span<float> row, double norm) {
  for (float& x : row) x = static_cast<float>(static_cast<double>(x) / std::max(norm, 1e-12));
}

Embeddings unit_rows(const Features& features) {
  Embeddings unit;
  if (features.dense() != nullptr) {
    Matrix matrix = features.dense()->to_owned();
    for (int64_t i = 0; i < matrix.rows(); ++i) scale_row(matrix.mutable_row(i), features.row_norm(i));
    unit.features = std::move(matrix);
  } else {
    SparseMatrix matrix = *features.sparse();
    for (int64_t i = 0; i < matrix.rows(); ++i) {
      const auto begin = static_cast<size_t>(matrix.indptr()[static_cast<size_t>(i)]);
      scale_row(matrix.mutable_values().subspan(begin, matrix.row(i).values.size()), features.row_norm(i));
    }
    unit.features = std::move(matrix);
  }
  return unit;
}

std::vector<int64_t> columns_by_sum(const Features& features) {
  std::vector<double> sums(static_cast<size_t>(features.cols()));
  for (int64_t i = 0; i < features.rows(); ++i) {
    features.visit_row(i, [&](int64_t j, float x) { sums[static_cast<size_t>(j)] += static_cast<double>(x); });
  }
  std::vector<int64_t> order(sums.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::ranges::greater(), [&](int64_t j) { return sums[static_cast<size_t>(j)]; });
  return order;
}

double precision(const Neighbours& found, std::span<const int64_t> labels) {
  int64_t hits = 0;
  for (int64_t q = 0; q < found.queries(); ++q) {
    for (int64_t place = 1; place < found.k(); ++place) {
      const int64_t row = found.indices(q, place);
      hits += row != q && labels[static_cast<size_t>(row)] == labels[static_cast<size_t>(q)];
    }
  }
  return static_cast<double>(hits) / static_cast<double>(std::max<int64_t>(found.queries(), 1) * kPlaces);
}

}  // namespace

std::vector<OfficialRetrievalPoint> official_retrieval(const Features& features, std::span<const int64_t> labels,
                                                       const OfficialRetrievalOptions& options) {
  check(static_cast<int64_t>(labels.size()) == features.rows(), "[official retrieval] expected ", features.rows(),
        " labels, got ", labels.size());
  check(options.step >= 1, "[official retrieval] expected a step of at least 1, got ", options.step);
  check_finite(features, "official retrieval");
  const Embeddings unit = unit_rows(features);
  const std::vector<int64_t> order = columns_by_sum(unit);
  NeighbourOptions search{.k = kPlaces + 1, .metric = Metric::squared_l2, .threads = options.threads};
  const int64_t points = (features.cols() + options.step - 1) / options.step;
  std::vector<OfficialRetrievalPoint> curve;
  for (int64_t point = 0; point < points; ++point) {
    const int64_t kept = point * options.step;
    search.columns.emplace(order.begin(), order.begin() + kept);
    if (options.progress) {
      search.progress = [&](int64_t done, int64_t total) { options.progress(point * total + done, points * total); };
    }
    curve.push_back({kept, precision(neighbours(unit, unit, search), labels)});
  }
  return curve;
}

}  // namespace orthant::measure
