#include "orthant/theory/theorems.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "orthant/core/error.h"
#include "orthant/core/rng.h"
#include "orthant/theory/theorem_parts.h"

namespace orthant::theory {
namespace {

void check_options(const TheoryOptions& options) {
  const auto where = "[theory] ";
  check(options.classes >= 2, where, "expected at least 2 classes, got ", options.classes);
  check(options.samples >= options.classes, where, "expected at least one sample for each of ", options.classes,
        " classes, got ", options.samples, " samples");
  check(options.overlap >= 0 && options.overlap <= 0.95, where, "expected an overlap from 0 to 0.95, got ",
        options.overlap);
  check(options.dims >= options.classes && options.dims <= options.samples, where, "expected dimensions from ",
        options.classes, " (the classes) to ", options.samples, " (the samples), got ", options.dims);
  check(options.seeds >= 1 && options.curve_seeds >= 0, where,
        "expected at least 1 seed and no negative curve seeds, got ", options.seeds, " and ", options.curve_seeds);
}

}  // namespace

std::string to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "holds";
    case Verdict::fails_as_predicted:
      return "fails as predicted";
    case Verdict::fails:
      return "fails";
  }
  return "";
}

bool TheoryReport::as_predicted() const {
  return std::ranges::none_of(theorems, [](const Theorem& theorem) { return theorem.verdict == Verdict::fails; });
}

std::string format_number(double value) { return fmt::format("{:.4g}", value); }

Measurement at_most(std::string label, double value, double bound) {
  return {std::move(label), value, "≤ " + format_number(bound), value <= bound};
}

Measurement at_least(std::string label, double value, double bound) {
  return {std::move(label), value, "≥ " + format_number(bound), value >= bound};
}

Measurement for_information(std::string label, double value) { return {std::move(label), value, "", true}; }

Verdict judge(const std::vector<Measurement>& measured, Verdict good) {
  const bool all = std::ranges::all_of(measured, [](const Measurement& m) { return m.met; });
  return all ? good : Verdict::fails;
}

LatentClasses make_world(const TheoryOptions& options, double overlap, bool anchors, uint64_t seed) {
  return simulate({.classes = options.classes,
                   .samples = options.samples,
                   .overlap = overlap,
                   .prior = Prior::random,
                   .anchors = anchors,
                   .seed = seed});
}

Matrix64 random_features(int64_t rows, int64_t cols, uint64_t seed, uint32_t draw) {
  constexpr uint16_t kFeatureStream = 0xff17;
  Matrix64 features(rows, cols);
  Rng rng({.seed = seed, .epoch = draw, .view = kFeatureStream});
  for (double& value : features.mutable_values()) value = std::max(rng.normal(), 0.0);
  return features;
}

Matrix64 rectified(Matrix64 matrix) {
  for (double& value : matrix.mutable_values()) value = std::max(value, 0.0);
  return matrix;
}

double max_difference(const Matrix64& a, const Matrix64& b) {
  double largest = 0;
  for (int64_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a.data()[i] - b.data()[i]));
  return largest;
}

int64_t label_count(int64_t classes) { return std::max<int64_t>(2, classes / 2); }

Matrix64 label_given_class(int64_t classes, int64_t labels) {
  Matrix64 given(labels, classes);
  for (int64_t y = 0; y < labels; ++y) {
    for (int64_t c = 0; c < classes; ++c) {
      given(y, c) = (c % labels == y ? 0.9 : 0) + 0.1 / static_cast<double>(labels);
    }
  }
  return given;
}

TheoryReport run_theory(const TheoryOptions& options) {
  check_options(options);
  TheoryReport report;
  report.options = options;
  TheoryProgress progress(options, identity_experiments() + recovery_experiments(options) + tower_experiments(options) +
                                       supervised_experiments() + overlap_experiments(options) +
                                       curve_experiments(options) + 1);
  report.theorems = identity_theorems(options, progress);
  const std::vector<Theorem> recovery = recovery_theorems(options, progress);
  const auto six = std::ranges::find(report.theorems, "6", &Theorem::id);
  report.theorems.insert(six, recovery.begin(), recovery.end());
  std::ranges::move(tower_theorems(options, progress), std::back_inserter(report.theorems));
  std::ranges::move(supervised_theorems(options, progress), std::back_inserter(report.theorems));
  report.theorems.push_back(overlap_theorem(report, progress));
  add_curves(report, progress);
  add_pictures(report, progress);
  report.options.progress = {};
  return report;
}

}  // namespace orthant::theory
