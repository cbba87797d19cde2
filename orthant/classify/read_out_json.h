#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orthant/classify/read_out.h"

namespace orthant::classify {

// One item and why it is taken for what it is.
struct ExplainedItem {
  std::string id;
  Prediction prediction;
};

// What is told of a read-out.
struct ReadOutDocument {
  std::string source;                 // what was classified
  const ReadOut& result;              // borrowed
  std::vector<int64_t> labels = {};   // [N] classes of the items, -1: unknown; may be empty
  std::vector<std::string> ids = {};  // [N]; empty: items are numbered
  std::vector<ExplainedItem> explained = {};
  std::vector<std::string> notes = {};  // one line each
  int64_t top = 5;                      // features of a class or an item
};

// One JSON document, indented:
//   {"source", "items", "judged", "accuracy", "chance": 1 / C, "commonest", "worst": NAME, "confusion": [[...]],
//    "mistakes": [{"label", "predicted", "items", "share"}],
//    "classes": [{"name", "items", "recall", "precision", "score", "bias", "features": [PART...]}],
//    "predictions": [{"id", "predicted", "label"}],
//    "explained": [{"id", "predicted", "score", "bias", "runner_up", "runner_up_score", "features": [PART...]}],
//    "notes": [...], "orthant"}
// with PART {"feature", "activation", "weight", "contribution", "share"}, the first `top`. What needs labels is null if
// no item has any; so are numbers that are not finite.
std::string to_json(const ReadOutDocument& document);

}  // namespace orthant::classify
