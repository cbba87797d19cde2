#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "orthant/core/settings.h"
#include "orthant/measure/listing.h"

namespace orthant::measure {

// One number of a result, under the dotted key that the JSON document nests; what is known of it is in listing().
struct Value {
  std::string key;
  double value = 0;
  Unit unit = Unit::number;
};

// One measure of listing(), as it was computed.
using Parameters = std::vector<std::pair<std::string, Setting>>;
struct Measure {
  std::string id;  // "class_consistency"
  int64_t version = 1;
  Parameters parameters;
  std::vector<Value> values;
};

// A measure that could not be computed.
struct Skipped {
  std::string id;
  std::string reason;  // "no labels"
};

// A measure of each feature on its own.
struct FeatureValues {
  std::string key;             // "monosemanticity"
  std::vector<double> values;  // [cols]; NaN: not defined
};

// Everything measured on one set of features [rows, cols].
struct MeasureReport {
  std::string source;                // the file
  std::string definition = "paper";  // or "official"
  int64_t rows = 0;
  int64_t cols = 0;
  bool sparse = false;
  int64_t labelled = 0;  // rows of known class
  int64_t classes = 0;
  std::vector<Measure> measures;
  std::vector<FeatureValues> per_feature;
  std::vector<Skipped> skipped;
  std::vector<std::string> warnings;  // one line each

  // The value under a dotted key, if it was computed.
  std::optional<double> find(const std::string& key) const;
};

// The document as JSON text: values under their nested keys at the top level, then "measures" (id with version, and
// parameters, in the order computed), "per_feature" (key to a list, where there is any), "skipped" (id to reason),
// "warnings", "input" and the version of Orthant. With several reports: {"results": [...]}. Values that are not finite
// are null. Whole numbers are written without a point.
std::string to_json(const MeasureReport& report);
std::string to_json(std::span<const MeasureReport> reports);

}  // namespace orthant::measure
