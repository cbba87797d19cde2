#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "orthant/catalogue/catalogue.h"
#include "orthant/classify/confusion.h"

namespace orthant::report {

// What the classifier of a supervised run does, as JSON text like that of documents.h; "null" for a run without one.

// Accuracy, confusion, and what carries each class: "classifier" of a run's overview.
std::string read_out_document(const catalogue::Catalogue& run);

// What item i is taken for, and why: "prediction" of the item.
std::string prediction_document(const catalogue::Catalogue& run, int64_t i);

// The same for features [D] that are no row of the run.
std::string prediction_document(const catalogue::Catalogue& run, std::span<const float> row);

// Accuracy, counts and the commonest mistakes of any predictions.
std::string confusion_document(const classify::Confusion& confusion);

// The weights, from which a report's page makes its predictions: {"weights": base64 of float32 [C, K], "bias": [C]}.
// "null" also if there are more than 500,000 of them.
std::string weights_document(const catalogue::Catalogue& run);

}  // namespace orthant::report
