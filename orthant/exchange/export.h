#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "orthant/core/embeddings.h"

namespace orthant::exchange {

// The file that every export has, and by which it is known.
inline constexpr const char* kExportMark = "export.json";

struct ExportOptions {
  std::string to = {};              // see export_targets()
  std::string name = "items";       // of the collection, index or table: a letter, then letters, digits and _
  std::string source = "features";  // what the embeddings are called in messages
  bool row_ids = false;             // items are called by their row, whatever their ids are
  bool overwrite = false;           // an earlier export is replaced
  int threads = 0;
  std::function<void(int64_t done, int64_t total)> progress = nullptr;  // in rows; may throw, which ends the export
};

struct ExportTarget {
  std::string name;
  std::string what;
};
std::vector<ExportTarget> export_targets();

struct ExportSummary {
  int64_t rows = 0;
  int64_t entries = 0;
  std::vector<std::string> remarks;  // what whoever loads it should know
};

// Writes embeddings for another program, with the settings that keep it from changing them, into a new folder that
// appears whole or not at all; docs/export.md has the files. Rows are read one after the other, so embeddings that stay
// in a mapped file may be larger than memory. std::invalid_argument naming the source for what the target cannot take
// (NaN and infinite values, values of 0 and less, rows with too many entries, ids that are not unique: IdsDoNotFit), or
// an unknown target.
ExportSummary export_embeddings(const Embeddings& embeddings, const std::string& folder, const ExportOptions& options);

}  // namespace orthant::exchange
