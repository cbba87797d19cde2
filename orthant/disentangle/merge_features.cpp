#include "orthant/disentangle/merge_features.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "orthant/core/error.h"
#include "orthant/linalg/column_gram.h"

namespace orthant::disentangle {
namespace {

constexpr double kDenseFrom = 0.25;  // share of non-zeros from which a product of dense blocks is the faster one

Matrix64 gram_of(const Features& features, int threads) {
  const auto* sparse = features.sparse();
  const double size = static_cast<double>(features.rows()) * static_cast<double>(features.cols());
  if (sparse && static_cast<double>(sparse->nnz()) > kDenseFrom * size) {
    return linalg::column_gram(sparse->to_dense(), {.threads = threads});
  }
  return linalg::column_gram(features, {.threads = threads});
}

}  // namespace

FeatureGroups duplicate_features(const Features& features, const MergeOptions& options) {
  if (features.rows() == 0 || features.cols() == 0)
    return duplicate_features(Matrix64(features.cols(), features.cols()), options);
  return duplicate_features(gram_of(features, options.threads), options);
}

FeatureGroups duplicate_features(const Matrix64& gram, const MergeOptions& options) {
  check(options.above >= 0 && options.above <= 1, "[merge_features] expected a cosine from 0 to 1, got ",
        options.above);
  FeatureGroups groups;
  const auto columns = static_cast<size_t>(gram.cols());
  std::vector<int64_t> order(columns);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](int64_t a, int64_t b) { return gram(a, a) > gram(b, b); });

  std::vector<int64_t> leader_of(columns);
  std::vector<int64_t> leaders;
  for (const int64_t j : order) {
    const auto leader = std::ranges::find_if(leaders, [&](int64_t l) {
      return gram(j, j) > 0 && gram(j, l) > options.above * std::sqrt(gram(j, j)) * std::sqrt(gram(l, l));
    });
    leader_of[static_cast<size_t>(j)] = leader == leaders.end() ? j : *leader;
    if (leader == leaders.end()) leaders.push_back(j);
  }
  std::vector<int64_t> number(columns, -1);
  for (size_t j = 0; j < columns; ++j) {
    int64_t& its = number[static_cast<size_t>(leader_of[j])];
    if (its < 0) its = groups.count++;
    groups.group.push_back(its);
  }
  return groups;
}

SparseMatrix merge_features(const Features& features, const FeatureGroups& groups) {
  check(static_cast<int64_t>(groups.group.size()) == features.cols(), "[merge_features] expected groups of ",
        features.cols(), " features, got ", groups.group.size());
  std::vector<int64_t> indptr = {0};
  std::vector<int32_t> indices;
  std::vector<float> values;
  std::vector<std::pair<int64_t, float>> row;
  for (int64_t i = 0; i < features.rows(); ++i) {
    row.clear();
    features.visit_row(i, [&](int64_t j, float x) {
      if (x != 0) row.emplace_back(groups.group[static_cast<size_t>(j)], x);
    });
    std::ranges::stable_sort(row, {}, &std::pair<int64_t, float>::first);
    for (size_t e = 0; e < row.size();) {
      double sum = 0;
      const int64_t group = row[e].first;
      for (; e < row.size() && row[e].first == group; ++e) sum += row[e].second;
      if (static_cast<float>(sum) == 0) continue;
      indices.push_back(static_cast<int32_t>(group));
      values.push_back(static_cast<float>(sum));
    }
    indptr.push_back(static_cast<int64_t>(values.size()));
  }
  return {features.rows(), groups.count, std::move(indptr), std::move(indices), std::move(values)};
}

}  // namespace orthant::disentangle
