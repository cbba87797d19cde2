#pragma once

#include <map>
#include <string>

#include "learn/nn/model.h"
#include "orthant/fit/logistic.h"

namespace orthant {

// A classifier that has been learned, and what is worth knowing of how: "seed", "layer", "items", ...
struct TrainedClassifier {
  fit::LogisticModel model;  // weights [C, D] and bias [C]; the rest is not kept in a file
  std::map<std::string, std::string> facts;
};

// As it goes into a model's file: "fc.weight" and "fc.bias" in float32, the facts as notes.
ModelExtras classifier_extras(const TrainedClassifier& classifier);

// A file with nothing but the classifier. IoError if it cannot be written.
void write_classifier(const std::string& path, const TrainedClassifier& classifier);

// The classifier in either kind of file, with all its notes. IoError if there is none.
TrainedClassifier read_classifier(const std::string& path);

}  // namespace orthant
