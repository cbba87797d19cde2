#include "orthant/theory/theory_json.h"

#include <nlohmann/json.hpp>

namespace orthant::theory {
namespace {

using nlohmann::ordered_json;

ordered_json to_json(const Theorem& theorem) {
  ordered_json measured = ordered_json::array();
  for (const Measurement& m : theorem.measured) {
    measured.push_back({{"label", m.label}, {"value", m.value}, {"expected", m.expected}, {"met", m.met}});
  }
  ordered_json result = {{"id", theorem.id},
                         {"title", theorem.title},
                         {"statement", theorem.statement},
                         {"formula", theorem.formula},
                         {"verdict", to_string(theorem.verdict)},
                         {"explanation", theorem.explanation},
                         {"measured", measured}};
  for (const Curve& dots : theorem.columns) {
    result["columns"].push_back({{"label", dots.label}, {"share", dots.x}, {"cosine", dots.mean}});
  }
  return result;
}

ordered_json to_json(const std::vector<Curve>& curves) {
  ordered_json result = ordered_json::array();
  for (const Curve& c : curves) {
    result.push_back({{"label", c.label}, {"x", c.x}, {"mean", c.mean}, {"low", c.low}, {"high", c.high}});
  }
  return result;
}

ordered_json to_json(const OverlapCurves& curves) {
  return {{"worst", to_json(curves.worst)}, {"mean", to_json(curves.mean)}, {"zeros", to_json(curves.zeros)}};
}

}  // namespace

std::string theory_json(const TheoryReport& report) {
  const TheoryOptions& options = report.options;
  ordered_json document = {{"options",
                            {{"classes", options.classes},
                             {"samples", options.samples},
                             {"overlap", options.overlap},
                             {"dims", options.dims},
                             {"seed", options.seed},
                             {"seeds", options.seeds},
                             {"curve_seeds", options.curve_seeds}}},
                           {"as_predicted", report.as_predicted()}};
  document["theorems"] = ordered_json::array();
  for (const Theorem& theorem : report.theorems) document["theorems"].push_back(to_json(theorem));
  document["recovery_by_overlap"] = to_json(report.recovery_by_overlap);
  document["recovery_by_pairs"] = to_json(report.recovery_by_pairs);
  document["error_by_overlap"] = to_json(report.error_by_overlap);
  document["overlap"] = {{"anchors", to_json(report.overlap_anchored)}, {"no_anchors", to_json(report.overlap_bare)}};
  return document.dump(2);
}

}  // namespace orthant::theory
