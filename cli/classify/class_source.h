#pragma once

#include <string>
#include <vector>

#include "cli/frame/command.h"
#include "orthant/classify/classifier.h"
#include "orthant/core/embeddings.h"

namespace orthant::cli {

// What is to be classified, and by what.
struct ClassifyInputs {
  std::string run;
  std::string names;                   // file of class names; empty: the classes that the run has learned
  std::vector<std::string> templates;  // phrases around {}
  std::string data;                    // KIND[:PATH]; empty: what the run was trained on
  std::string split = "test";
  std::string factor;  // of the data, judges instead of the classes; empty: the classes
};

// Items with the classifier that reads them, and classes of that classifier to judge it by.
struct ClassSource {
  classify::Classifier classifier;
  Embeddings items;
  std::vector<int64_t> labels = {};     // [N], -1: unknown; empty: none
  std::vector<std::string> notes = {};  // what is left out, one line each
  int64_t phrases = 0;                  // that the classes were made of; 0: they were learned
};

// By names: phrases go through the tower of texts, the items through the other one. Without: the classifier in the
// run's file. Embeddings that are missing are made. IoError or std::invalid_argument for a run that has no tower of
// texts or has learned no classes, a names file that is not valid, or a factor that the data do not have.
ClassSource open_class_source(const ClassifyInputs& inputs, const Common& common);

}  // namespace orthant::cli
