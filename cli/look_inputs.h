#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>
#include "cli/frame/app.h"

#include "cli/frame/command.h"
#include "orthant/catalogue/catalogue.h"

namespace orthant::cli {

// What `report` and `explore` show.
struct LookInputs {
  std::vector<std::string> inputs;  // run folders, or files of embeddings
  std::string labels;               // file of classes; empty: those of the embeddings
  std::string ids;                  // file of ids; empty: those of the embeddings or the data
  std::string texts;                // file of lines, or a data set of texts; empty: those of the data
  std::string reference;            // vectors of the same items by something else, a file or a run; empty: none
  std::string data;                 // KIND[:PATH]; empty: what the run was trained on, none for a file
  std::string split;                // empty: see usual_split()
  int64_t size = 0;                 // items of the data set; 0: all
};

// Adds --texts.
void add_texts(App& command, std::string& texts);

// Adds the positional inputs and --labels, --ids, --texts, --reference, --data, --split, --size.
void add_look_inputs(App& command, LookInputs& inputs);

// Opens what was named, see catalogue::open_catalogues(). Embeddings that are missing are made by `orthant embed` in a
// process of its own; progress and what is left out are told on stderr.
std::vector<std::unique_ptr<catalogue::Catalogue>> open_inputs(const LookInputs& inputs, const Common& common);

// The file of embeddings that `path` means: itself, or if it is the folder of a run, those of the whole split.
// std::invalid_argument that says what to run if that is missing, or that there is nothing at `path`.
std::string embeddings_path(const std::string& path, const std::string& split = "");

// The split that is looked at where none is said: test, but all of a graph that a run was trained on, and of vectors
// that were adapted.
std::string usual_split(const std::string& path);

}  // namespace orthant::cli
