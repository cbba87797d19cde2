#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "orthant/core/embeddings.h"

namespace orthant::io {

struct CsvRow {
  int64_t line = 0;  // of the file, from 1
  std::vector<std::string> cells;
};

// The rows of a table of comma-separated values (RFC 4180): cells may be quoted, and a quote in them doubled. The
// separator is the first of comma, semicolon and tab that occurs in the first line. Empty lines are passed over.
// IoError naming `name` if a quoted cell does not end or goes on behind its quote, or for what is no text.
std::vector<CsvRow> parse_csv(std::span<const std::byte> bytes, const std::string& name);

// The same of a file.
std::vector<CsvRow> read_csv(const std::string& path);

// Writes a table of comma-separated values, atomically and row by row: a line of titles, then for each item "id" if
// there are ids, "label" if there are labels (the name of the class where there are names; nothing for none), one
// column per factor under its name, and the features under their names, "f0", "f1", ... where they have none, with as
// many digits as give the same float back.
void write_embeddings_csv(const std::string& path, const Embeddings& embeddings);

}  // namespace orthant::io
