#include "orthant/classify/read_out.h"

#include <cmath>

#include "orthant/classify/scores.h"
#include "orthant/core/error.h"

namespace orthant::classify {

ReadOut read_out(Classifier classifier, const Features& rows, std::span<const int64_t> labels, int threads) {
  const std::vector<int64_t> unknown(labels.empty() ? static_cast<size_t>(rows.rows()) : 0, -1);
  const std::span<const int64_t> known = labels.empty() ? std::span<const int64_t>(unknown) : labels;
  ReadOut result;
  result.predicted = predictions(scores(classifier, rows, threads));
  result.confusion = confusion(known, result.predicted, classifier.classes());
  result.carried = class_contributions(classifier, rows, known);
  result.classifier = std::move(classifier);
  return result;
}

Prediction predict(const Classifier& classifier, const Features& rows, int64_t row) {
  check(row >= 0 && row < rows.rows(), "[classifier] expected a row from 0 to ", rows.rows() - 1, ", got ", row);
  Matrix one(1, rows.cols());
  rows.visit_row(row, [&](int64_t column, float value) { one(0, column) = value; });
  const Matrix all = scores(classifier, one, 1);
  const int64_t best = predictions(all).front();
  Prediction prediction{.parts = item_contributions(classifier, rows, row, best)};
  for (int64_t c = 0; c < classifier.classes(); ++c) {
    const bool lower = prediction.runner_up >= 0 && all(0, c) <= prediction.runner_up_score;
    if (c == best || lower || std::isinf(all(0, c))) continue;
    prediction.runner_up = c;
    prediction.runner_up_score = all(0, c);
  }
  return prediction;
}

}  // namespace orthant::classify
