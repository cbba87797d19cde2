#include "learn/train/knn.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <vector>

#include "orthant/core/error.h"

namespace orthant {
namespace {

constexpr int64_t kQueries = 512;

at::Tensor unit_rows(const Matrix& matrix) {
  const at::Tensor rows = at::from_blob(const_cast<float*>(matrix.data()), {matrix.rows(), matrix.cols()});
  return rows / rows.norm(2, {1}, true).clamp_min(1e-12);
}

int64_t vote(std::span<const float> cosines, std::span<const int64_t> nearest, std::span<const int64_t> labels,
             std::vector<double>& votes) {
  std::ranges::fill(votes, 0.0);
  for (size_t n = 0; n < nearest.size(); ++n) {
    const int64_t label = labels[static_cast<size_t>(nearest[n])];
    if (label >= 0) votes[static_cast<size_t>(label)] += 1 + 1e-6 * static_cast<double>(cosines[n]);
  }
  return std::ranges::max_element(votes) - votes.begin();
}

}  // namespace

double knn_accuracy(const Matrix& bank, std::span<const int64_t> bank_labels, const Matrix& queries,
                    std::span<const int64_t> query_labels, int64_t k) {
  check(bank.cols() == queries.cols() && bank.rows() > 0, "[k-NN] expected a bank of ", queries.cols(),
        " features, got ", bank.rows(), " x ", bank.cols());
  check(static_cast<int64_t>(bank_labels.size()) == bank.rows() &&
            static_cast<int64_t>(query_labels.size()) == queries.rows(),
        "[k-NN] expected a label for every row, got ", bank_labels.size(), " and ", query_labels.size());
  const at::NoGradGuard no_gradients;
  const int64_t neighbours = std::min(k, bank.rows());
  const int64_t classes = std::max<int64_t>(*std::ranges::max_element(bank_labels) + 1, 1);
  const at::Tensor keys = unit_rows(bank).t().contiguous();
  const at::Tensor all_queries = unit_rows(queries);
  std::vector<double> votes(static_cast<size_t>(classes));
  int64_t right = 0;
  int64_t counted = 0;
  for (int64_t begin = 0; begin < queries.rows(); begin += kQueries) {
    const int64_t count = std::min(kQueries, queries.rows() - begin);
    const auto [values, indices] = at::mm(all_queries.narrow(0, begin, count), keys).topk(neighbours, 1);
    for (int64_t q = 0; q < count; ++q) {
      const int64_t truth = query_labels[static_cast<size_t>(begin + q)];
      if (truth < 0) continue;
      const auto size = static_cast<size_t>(neighbours);
      const std::span<const float> cosines(values.data_ptr<float>() + q * neighbours, size);
      const std::span<const int64_t> nearest(indices.data_ptr<int64_t>() + q * neighbours, size);
      right += vote(cosines, nearest, bank_labels, votes) == truth;
      ++counted;
    }
  }
  return counted > 0 ? static_cast<double>(right) / static_cast<double>(counted) : 0;
}

}  // namespace orthant
