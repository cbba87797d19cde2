#include "orthant/texts/text_table.h"

#include <algorithm>

#include "orthant/core/error.h"

namespace orthant {
namespace {

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (size_t begin = 0;;) {
    const size_t tab = line.find('\t', begin);
    cells.push_back(line.substr(begin, tab == std::string_view::npos ? tab : tab - begin));
    if (tab == std::string_view::npos) return cells;
    begin = tab + 1;
  }
}

}  // namespace

size_t TextTable::column(const std::string& name) const {
  const auto count = std::ranges::count(columns, name);
  std::string all;
  for (const std::string_view each : columns) all += (all.empty() ? "" : ", ") + std::string(each);
  check(count == 1, "[", path, "] expected one column called ", name, ", got ", count == 0 ? "none" : "several",
        " among ", all);
  return static_cast<size_t>(std::ranges::find(columns, name) - columns.begin());
}

TextTable parse_text_table(const TextFile& file) {
  TextTable table{.path = file.path, .columns = cells_of(file.lines.front()), .rows = {}};
  table.rows.reserve(file.lines.size() - 1);
  for (size_t i = 1; i < file.lines.size(); ++i) {
    table.rows.push_back({i + 1, cells_of(file.lines[i])});
    check_io(table.rows.back().cells.size() == table.columns.size(), "[", file.path, "] expected ",
             table.columns.size(), " cells between tabs in line ", i + 1, ", as the first line has, got ",
             table.rows.back().cells.size());
  }
  check_io(!table.rows.empty(), "[", file.path, "] expected rows below the names of the columns, got none");
  return table;
}

}  // namespace orthant
