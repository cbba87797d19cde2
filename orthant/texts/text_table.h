#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "orthant/texts/text_file.h"

namespace orthant {

// A table of cells that are separated by tabs, never quoted: the first line names the columns.
struct TextTable {
  struct Row {
    size_t line;  // of the file, from 1
    std::vector<std::string_view> cells;
  };

  std::string path;
  std::vector<std::string_view> columns;
  std::vector<Row> rows;

  // The place of the column of that name. std::invalid_argument that lists the columns if there is none, or more than
  // one.
  size_t column(const std::string& name) const;
};

// The table in a file, whose lines it refers to. IoError naming the line if a row has another number of cells than the
// first line, or there are no rows.
TextTable parse_text_table(const TextFile& file);

}  // namespace orthant
