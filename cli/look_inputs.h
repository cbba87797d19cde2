#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>
#include "cli/app.h"

#include "cli/command.h"
#include "orthant/catalogue/catalogue.h"

namespace orthant::cli {

// What `report` and `explore` show.
struct LookInputs {
  std::vector<std::string> inputs;  // run folders, or files of embeddings
  std::string labels;               // file of classes; empty: those of the embeddings
  std::string data;                 // KIND[:PATH]; empty: what the run was trained on, none for a file
  std::string split = "test";
  int64_t size = 0;  // items of the data set; 0: all
};

// Adds the positional inputs and --labels, --data, --split, --size.
void add_look_inputs(App& command, LookInputs& inputs);

// Opens what was named, one catalogue for each, over the same items. Of a run, embeddings that are missing are made by
// `orthant embed` in a process of its own, and measures that are missing or older are computed and kept as
// measures.json (in memory only if the folder cannot be written). Without the data set there are no pictures, which is
// said on stderr. IoError or std::invalid_argument, naming what differs, if the runs do not show the same items, or
// embeddings are not of this data set.
std::vector<std::unique_ptr<catalogue::Catalogue>> open_catalogues(const LookInputs& inputs, const Common& common);

}  // namespace orthant::cli
