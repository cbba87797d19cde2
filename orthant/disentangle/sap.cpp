#include "orthant/disentangle/sap.h"

#include <algorithm>

#include "orthant/core/error.h"
#include "orthant/core/threads.h"
#include "orthant/disentangle/factor_target.h"
#include "orthant/fit/code_columns.h"
#include "orthant/fit/linear_svc.h"

namespace orthant::disentangle {
namespace {

constexpr double kLeastVariance = 1e-12;

std::vector<float> dense_column(const fit::CodeColumns& codes, int64_t j) {
  std::vector<float> dense(static_cast<size_t>(codes.rows()));
  const auto column = codes.column(j);
  for (size_t e = 0; e < column.rows.size(); ++e) dense[static_cast<size_t>(column.rows[e])] = column.values[e];
  return dense;
}

double accuracy_of(const fit::LinearSvc& svc, std::span<const float> x, std::span<const int32_t> classes) {
  int64_t right = 0;
  for (size_t i = 0; i < x.size(); ++i) right += svc.predict(x[i]) == classes[i];
  return x.empty() ? 0 : static_cast<double>(right) / static_cast<double>(x.size());
}

double squared_correlation(std::span<const float> x, const Factor& factor) {
  const auto n = static_cast<double>(x.size());
  const auto value = [&](size_t i) {
    return static_cast<double>(factor.values[static_cast<size_t>(factor.classes[i])]);
  };
  double mean_x = 0;
  double mean_v = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    mean_x += x[i] / n;
    mean_v += value(i) / n;
  }
  double xx = 0;
  double vv = 0;
  double xv = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const double dx = x[i] - mean_x;
    const double dv = value(i) - mean_v;
    xx += dx * dx / n;
    vv += dv * dv / n;
    xv += dx * dv / n;
  }
  return xx <= kLeastVariance || vv <= kLeastVariance ? 0 : xv * xv / (xx * vv);
}

double gap(const Matrix64& scores, int64_t factor) {
  double best = 0;
  double second = 0;
  for (int64_t i = 0; i < scores.rows(); ++i) {
    second = std::max(second, std::min(best, scores(i, factor)));
    best = std::max(best, scores(i, factor));
  }
  return best - second;
}

}  // namespace

SapScore sap(const Features& train, std::span<const Factor> train_factors, const Features& test,
             std::span<const Factor> test_factors, const SapOptions& options) {
  check_factors("sap", train_factors, train.rows());
  check_factors("sap", test_factors, test.rows());
  check(train_factors.size() == test_factors.size(), "[sap] expected ", train_factors.size(), " test factors, got ",
        test_factors.size());
  check(train.cols() == test.cols(), "[sap] expected ", train.cols(), " test codes, got ", test.cols());
  check(options.c > 0, "[sap] expected a penalty c above 0, got ", options.c);
  const fit::CodeColumns columns(train);
  const fit::CodeColumns test_columns(test);
  std::vector<FactorTarget> targets;
  for (size_t k = 0; k < train_factors.size(); ++k) {
    targets.push_back(factor_target(train_factors[k], test_factors[k]));
  }
  SapScore score;
  score.scores = Matrix64(train.cols(), static_cast<int64_t>(targets.size()));
  parallel_for(columns.cols(), 1, options.threads, [&](int64_t i, int64_t) {
    const std::vector<float> x = dense_column(columns, i);
    const std::vector<float> x_test = dense_column(test_columns, i);
    for (size_t k = 0; k < targets.size(); ++k) {
      const FactorTarget& target = targets[k];
      if (target.count < 2) continue;
      score.scores(i, static_cast<int64_t>(k)) =
          options.continuous
              ? squared_correlation(x, train_factors[k])
              : accuracy_of(fit::fit_linear_svc(x, target.train, target.count, options.c), x_test, target.test);
    }
  });
  int64_t varying = 0;
  for (size_t k = 0; k < targets.size(); ++k) {
    score.by_factor.push_back(gap(score.scores, static_cast<int64_t>(k)));
    if (targets[k].count < 2) continue;
    ++varying;
    score.sap += score.by_factor.back();
  }
  if (varying > 0) score.sap /= static_cast<double>(varying);
  return score;
}

}  // namespace orthant::disentangle
