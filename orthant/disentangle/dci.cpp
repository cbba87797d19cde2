#include "orthant/disentangle/dci.h"

#include <algorithm>
#include <cmath>

#include "orthant/core/error.h"
#include "orthant/disentangle/factor_target.h"
#include "orthant/fit/boosting.h"
#include "orthant/fit/code_columns.h"

namespace orthant::disentangle {
namespace {

constexpr double kSmall = 1e-11;

// 1 - entropy of the weights to the base of their number.
double concentration(std::vector<double> weights) {
  if (weights.size() < 2) return 1;
  double sum = 0;
  for (double& w : weights) sum += w += kSmall;
  double entropy = 0;
  for (const double w : weights) entropy -= w / sum * std::log(w / sum);
  return 1 - entropy / std::log(static_cast<double>(weights.size()));
}

double share_equal(std::span<const int32_t> a, std::span<const int32_t> b) {
  int64_t equal = 0;
  for (size_t i = 0; i < a.size(); ++i) equal += a[i] == b[i];
  return a.empty() ? 0 : static_cast<double>(equal) / static_cast<double>(a.size());
}

}  // namespace

ImportanceScore importance_score(const Matrix64& importance) {
  ImportanceScore score;
  if (importance.size() == 0) return score;
  double mass = 0;
  for (const double r : importance.values()) {
    check(std::isfinite(r) && r >= 0, "[dci] expected importances of 0 or more, got ", r);
    mass += r;
  }
  const double floor = mass > 0 ? 0 : 1;
  if (mass == 0) mass = static_cast<double>(importance.size());
  std::vector<std::vector<double>> columns(static_cast<size_t>(importance.cols()));
  for (int64_t i = 0; i < importance.rows(); ++i) {
    std::vector<double> row;
    double weight = 0;
    for (int64_t j = 0; j < importance.cols(); ++j) {
      row.push_back(importance(i, j) + floor);
      columns[static_cast<size_t>(j)].push_back(row.back());
      weight += row.back();
    }
    score.by_code.push_back(concentration(std::move(row)));
    score.disentanglement += weight / mass * score.by_code.back();
  }
  for (const auto& column : columns) {
    double weight = 0;
    for (const double r : column) weight += r;
    score.by_factor.push_back(concentration(column));
    score.completeness += weight / mass * score.by_factor.back();
  }
  return score;
}

DciScore dci(const Features& train, std::span<const Factor> train_factors, const Features& test,
             std::span<const Factor> test_factors, const DciOptions& options) {
  check_factors("dci", train_factors, train.rows());
  check_factors("dci", test_factors, test.rows());
  check(train_factors.size() == test_factors.size(), "[dci] expected ", train_factors.size(), " test factors, got ",
        test_factors.size());
  const fit::CodeColumns columns(train);
  const fit::BinnedCodes binned(columns, options.max_bins, options.threads);
  const std::vector<uint8_t> binned_test = binned.bin(fit::CodeColumns(test));

  DciScore score;
  score.importance = Matrix64(train.cols(), static_cast<int64_t>(train_factors.size()));
  std::vector<std::vector<double>> importances;
  for (size_t k = 0; k < train_factors.size(); ++k) {
    const FactorTarget target = factor_target(train_factors[k], test_factors[k]);
    score.by_factor.push_back(0);
    if (target.count < 2) continue;
    const fit::BoostedTrees model =
        fit::fit_boosting(binned, target.train, target.count,
                          {.trees = options.trees, .learning_rate = options.learning_rate, .threads = options.threads});
    score.by_factor.back() = share_equal(fit::predict(model, binned_test, test.rows(), options.threads), target.test);
    score.informativeness += score.by_factor.back();
    score.train_accuracy += share_equal(model.fitted, target.train);
    for (int64_t i = 0; i < train.cols(); ++i) {
      score.importance(i, static_cast<int64_t>(k)) = model.importance[static_cast<size_t>(i)];
    }
    importances.push_back(model.importance);
  }
  if (importances.empty()) return score;
  score.informativeness /= static_cast<double>(importances.size());
  score.train_accuracy /= static_cast<double>(importances.size());

  bool live = false;
  for (int64_t i = 0; i < columns.cols() && !live; ++i) live = !columns.constant(i);
  if (!live) return score;
  Matrix64 varying(train.cols(), static_cast<int64_t>(importances.size()));
  for (size_t k = 0; k < importances.size(); ++k) {
    for (int64_t i = 0; i < train.cols(); ++i) {
      varying(i, static_cast<int64_t>(k)) = importances[k][static_cast<size_t>(i)];
    }
  }
  const ImportanceScore found = importance_score(varying);
  score.disentanglement = found.disentanglement;
  score.completeness = found.completeness;
  return score;
}

}  // namespace orthant::disentangle
