#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "orthant/core/embeddings.h"
#include "orthant/core/features.h"
#include "orthant/exchange/atomic_folder.h"
#include "orthant/exchange/item_keys.h"
#include "orthant/exchange/question.h"
#include "orthant/exchange/rows.h"

namespace orthant::exchange {

// What a writer of one format takes: embeddings that meet its demands, and what is known of them.
struct Shipment {
  const Embeddings& embeddings;
  Features features;
  std::string source;  // where the embeddings came from, for the text
  std::string name;    // of the collection, index or table
  Survey survey;
  ItemKeys items;
  std::vector<std::string> feature_keys;  // as the format names columns in text
  std::vector<Question> questions;
  float least = 0;                             // entries nearer to 0 are left out
  std::function<void(int64_t done)> progress;  // told of rows; may throw

  int64_t rows() const { return features.rows(); }
  int64_t cols() const { return features.cols(); }
  std::vector<Entry> row(int64_t i) const {
    std::vector<Entry> entries;
    read_row(features, i, least, entries);
    return entries;
  }
  // The name of the item's class, its number if classes have no names, empty for none.
  std::string label(int64_t i) const;
};

// What a format cannot take is refused with std::invalid_argument.
struct Demands {
  bool positive = false;        // all values above 0; those below the smallest normal float are left out
  int64_t max_row = INT64_MAX;  // entries of a row
  int64_t max_cols = INT64_MAX;
  int64_t max_rows = INT64_MAX;
  int64_t max_id_bytes = INT64_MAX;
  bool whole_numbers = false;  // items are called by row, whatever their ids are
};

// One format: its name, what it demands, how it names features, and how it is written into a folder, with a README.md
// that says how to load it. Returns remarks, a line each, that whoever exports should read.
struct Target {
  const char* name;
  const char* what;  // a few words
  Demands demands;
  std::vector<std::string> (*feature_keys)(const Embeddings& embeddings);
  std::vector<std::string> (*write)(const Shipment& shipment, const AtomicFolder& folder);
};

extern const Target kBigann, kSeismic, kQdrant, kMilvus, kPgvector, kElasticsearch, kOpensearch, kVespa, kJsonl, kCsv;

}  // namespace orthant::exchange
