#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "orthant/catalogue/catalogue.h"
#include "orthant/catalogue/kept_measures.h"
#include "orthant/catalogue/run_embeddings.h"

namespace orthant::catalogue {

struct OpenOptions {
  std::string labels = {};  // file of classes, see io::read_labels; empty: those of the embeddings
  std::string ids = {};     // text with one id per line; empty: those of the embeddings or the data
  // Texts of the items: a file with one line for each, or a data set of texts, KIND[:PATH], that goes with the data by
  // its ids or item by item; empty: those of the data and, where the data is not given, of what a run was trained with.
  std::string texts = {};
  std::string reference = {};  // vectors of the same items by something else, for monosemanticity; empty: none
  std::string data = {};       // KIND[:PATH]; empty: what the run was trained on, none for a file
  std::string split = "test";
  int64_t size = 0;              // items of the data set; 0: all
  int threads = 0;               // 0: what the machine offers; results do not depend on it
  uint64_t seed = 0;             // of the measures
  EmbedMissing embed = nullptr;  // makes embeddings of a run that are missing or old; none: see run_embeddings()
  Warn warn = nullptr;           // told what is left out, and why
  // As of CatalogueOptions, and told of the measures too. The catalogues keep it.
  std::function<void(const std::string& what, int64_t done, int64_t total)> progress = nullptr;
};

// The data set that a user means by `texts`: a file of lines is one like any other, "text:FILE".
std::string texts_spec(const std::string& texts);

// Opens folders of runs and files of embeddings, one catalogue for each, over the same items. Of a run, measures that
// are missing or older are computed, and kept as measures.json if they are those of the whole test split (in memory
// only if the folder cannot be written); of more than kMostTogether items they are those of a sample, unless
// measures.json is there. A data set that does not open costs pictures and texts only, unless it
// was asked for. IoError or std::invalid_argument, naming what differs, if the runs do not show the same items, or
// embeddings are not of this data set.
std::vector<std::unique_ptr<Catalogue>> open_catalogues(const std::vector<std::string>& paths,
                                                        const OpenOptions& options = {});

// One alone.
std::unique_ptr<Catalogue> open_catalogue(const std::string& path, const OpenOptions& options = {});

}  // namespace orthant::catalogue
