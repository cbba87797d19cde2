#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "orthant/classify/classifier.h"
#include "orthant/run/model_options.h"
#include "orthant/words/bag_reader.h"

namespace orthant::catalogue {

// What is known of one run beside its features. The JSON texts are valid JSON in UTF-8 and hold no NaN.
struct RunRecord {
  std::string name;                                     // heads columns; "ncl"
  std::string path;                                     // as the user named it
  std::string method;                                   // "cl", "ncl"; empty for a bare file
  std::vector<std::array<std::string, 4>> recipe = {};  // section, key, value as text, help; in the recipe's order
  std::string curves = "[]";                            // JSON list: an object of numbers for each epoch
  std::string measures = "null";                        // JSON object of `orthant measure`
  std::vector<double> monosemanticity = {};             // of each feature by a reference, NaN: none; empty without
  std::string adapter = "null";                         // JSON object of result.json, of an adapted run
  std::string selection = "null";                       // JSON object of `orthant select --sweep --json`
  std::optional<classify::Classifier> classifier = {};  // that reads the features, of a supervised run
  std::vector<std::string> queries = {};                // what its models take: "picture", "sound", "text"
  std::optional<Preprocessing> sound = {};              // of its model, if that is one of sounds
  std::shared_ptr<const words::BagReader> bag = {};     // its model, if that reads texts as bags of words
  std::string names_path = {};                          // where names of features are kept; empty: in memory only
};

// Reads recipe (run.toml), curves (metrics.jsonl), method, selection (selection.json) and what codes keep
// (result.json of an adapted run, passed over if it is no such document) and what the model files tell of the run in
// folder `path`: the classifier, if there is one over the projector's features, what they take, and the words that make
// their features; measures stay "null". The last part of the path is the name, and names are kept in names.json. What
// is missing is left empty, and so is what a file that is no model would tell, but for run.toml: IoError without it, or
// if it, a classifier or selection.json is malformed. Lines of metrics.jsonl that a killed program left unfinished are
// passed over.
RunRecord read_run_record(const std::string& path);

}  // namespace orthant::catalogue
