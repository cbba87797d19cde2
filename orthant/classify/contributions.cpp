#include "orthant/classify/contributions.h"

#include <algorithm>
#include <cmath>

#include "orthant/core/error.h"

namespace orthant::classify {
namespace {

double scale_of(const Classifier& classifier, const Features& rows, int64_t row) {
  const double norm = classifier.unit_rows ? rows.row_norm(row) : 1;
  return norm > 0 ? 1 / norm : 0;
}

// The parts of a class's score for (mean) activations [K].
ScoreParts parts_of(const Classifier& classifier, int64_t class_number, std::span<const double> activations,
                    int64_t items) {
  ScoreParts found{
      .class_number = class_number, .items = items, .bias = classifier.bias[static_cast<size_t>(class_number)]};
  double sizes = 0;
  for (size_t k = 0; k < activations.size(); ++k) {
    const auto feature = static_cast<int64_t>(k);
    const double weight = classifier.weights(class_number, feature);
    const double value = activations[k] * weight;
    if (value == 0) continue;
    found.parts.push_back({feature, activations[k], weight, value});
    found.score += value;
    sizes += std::abs(value);
  }
  found.score += found.bias;
  for (Contribution& part : found.parts) part.share = std::abs(part.value) / sizes;
  std::ranges::stable_sort(found.parts, std::greater(), &Contribution::share);
  return found;
}

}  // namespace

ScoreParts item_contributions(const Classifier& classifier, const Features& rows, int64_t row, int64_t class_number) {
  classifier.validate();
  check(rows.cols() == classifier.features(), "[classifier] expected ", classifier.features(), " features, got ",
        rows.cols());
  check(row >= 0 && row < rows.rows(), "[classifier] expected a row below ", rows.rows(), ", got ", row);
  check(class_number >= 0 && class_number < classifier.classes(), "[classifier] expected a class below ",
        classifier.classes(), ", got ", class_number);
  std::vector<double> activations(static_cast<size_t>(rows.cols()));
  const double scale = scale_of(classifier, rows, row);
  rows.visit_row(row, [&](int64_t k, float x) {
    check(std::isfinite(x), "[classifier] expected finite features, got ", x, " in row ", row, ", column ", k);
    activations[static_cast<size_t>(k)] = static_cast<double>(x) * scale;
  });
  return parts_of(classifier, class_number, activations, 1);
}

std::vector<ScoreParts> class_contributions(const Classifier& classifier, const Features& rows,
                                            std::span<const int64_t> labels) {
  classifier.check_fits(rows);
  const int64_t classes = classifier.classes();
  check(static_cast<int64_t>(labels.size()) == rows.rows(), "[classifier] expected a label for each of ", rows.rows(),
        " rows, got ", labels.size());
  Matrix64 means(classes, rows.cols());
  std::vector<int64_t> items(static_cast<size_t>(classes));
  for (int64_t i = 0; i < rows.rows(); ++i) {
    const int64_t label = labels[static_cast<size_t>(i)];
    check(label >= -1 && label < classes, "[classifier] expected labels from -1 (unknown) to ", classes - 1, ", got ",
          label, " for row ", i);
    if (label < 0) continue;
    ++items[static_cast<size_t>(label)];
    const double scale = scale_of(classifier, rows, i);
    rows.visit_row(i, [&](int64_t k, float x) { means(label, k) += static_cast<double>(x) * scale; });
  }
  std::vector<ScoreParts> found;
  for (int64_t c = 0; c < classes; ++c) {
    const int64_t count = items[static_cast<size_t>(c)];
    if (count == 0) {
      found.push_back({.class_number = c, .bias = classifier.bias[static_cast<size_t>(c)]});
      continue;
    }
    for (double& mean : means.mutable_row(c)) mean /= static_cast<double>(count);
    found.push_back(parts_of(classifier, c, means.row(c), count));
  }
  return found;
}

}  // namespace orthant::classify
