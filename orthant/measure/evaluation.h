#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orthant/core/embeddings.h"
#include "orthant/core/features.h"
#include "orthant/disentangle/factors.h"
#include "orthant/measure/communities.h"
#include "orthant/measure/report.h"
#include "orthant/measure/sepin.h"

namespace orthant::measure {

// What there is to measure. Everything is borrowed. Only the features are needed; measures that need more are skipped
// with a reason where it is missing.
struct EvaluationInput {
  std::string name;  // of the features, for messages and the report
  Features features;
  std::span<const int64_t> labels = {};  // N classes, -1: unknown

  // Two views of the same items, for SEPIN; the first may be `features` itself.
  std::optional<Features> first_view = {};
  std::optional<Features> second_view = {};

  // What k-NN and retrieval search: the rows of a training set. Without, each row searches all the others.
  std::optional<Features> bank = {};
  std::span<const int64_t> bank_labels = {};

  std::span<const Factor> factors = {};  // ground truth, for disentanglement
  // Of the graph whose nodes the rows are: communities are measured where there are any, or they are asked for by name.
  std::span<const Edge> edges = {};
  std::optional<Features> other = {};  // features of the same items by another model, for stability
  // What the items are like by something that knows nothing of the features, for monosemanticity: [N, any].
  std::optional<Features> reference = {};
  std::span<const float> importance = {};  // of each feature, where it was learned
};

struct EvaluationOptions {
  bool official = false;               // the official code's definitions where it has one (docs/measures.md)
  std::vector<std::string> only = {};  // measures to compute, of measure_names(); none given: all that can be
  double threshold = 1e-5;             // |x| above it is active; above 0
  double strong = 0.1;                 // x above it, in a row of unit length, is strongly active
  int64_t knn_k = 20;
  int64_t keep = 0;  // k-NN and retrieval use only so many features, those with the largest mean activation; 0: all
  SepinOptions sepin = {};
  bool sepin_variants = false;  // SEPIN four times, for both settings of its two switches whatever `sepin` has there
  disentangle::FactorOptions factors = {};
  int threads = 0;  // 0: what the machine offers; results do not depend on it
  // Called before each measure (0 of 0), and in long ones as they go on, from the calling thread; may throw to stop.
  std::function<void(const std::string& measure, int64_t done, int64_t total)> progress = {};
};

// The names that `only` understands: sparsity, active_per_sample, ..., stability.
std::vector<std::string> measure_names();

// Every measure that the input allows, as one report. std::invalid_argument, naming input.name, for features that are
// empty or not finite (counted, with the place of the first), labels or views that do not fit, or an unknown name in
// `only`. Labels of one class only count as none, which is a warning of the report.
MeasureReport evaluate(const EvaluationInput& input, const EvaluationOptions& options = {});

}  // namespace orthant::measure
