#pragma once

#include <string>

#include "orthant/theory/theorems.h"

namespace orthant::theory {

// The report as one JSON document, indented, without the pictures:
//   {"options": {...}, "as_predicted": true,
//    "theorems": [{"id", "title", "statement", "formula", "verdict", "explanation",
//                  "measured": [{"label", "value", "expected", "met"}]}],
//    "recovery_by_overlap" | "recovery_by_pairs" | "error_by_overlap": [{"label", "x", "mean", "low", "high"}],
//    "overlap": {"anchors" | "no_anchors": {"worst" | "mean" | "zeros": [the same]}}}
std::string theory_json(const TheoryReport& report);

}  // namespace orthant::theory
