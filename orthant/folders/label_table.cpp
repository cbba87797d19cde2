#include "orthant/folders/label_table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include "orthant/core/error.h"
#include "orthant/folders/file_names.h"
#include "orthant/io/csv.h"

namespace orthant {
namespace {

using Rows = std::vector<io::CsvRow>;

std::optional<float> as_number(const std::string& text) {
  float value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

// The factor in a column, and its class in each row.
FactorInfo read_factor(const Rows& rows, size_t column, const std::string& path, std::vector<int32_t>& classes) {
  FactorInfo factor{rows.front().cells[column], {}, {}};
  std::map<float, int32_t> numbers;
  std::map<std::string, int32_t> words;
  for (size_t i = 1; i < rows.size(); ++i) {
    const std::string& cell = rows[i].cells[column];
    check_io(!cell.empty(), "[", path, "] expected a value of ", factor.name, " in line ", rows[i].line,
             ", got nothing");
    words.emplace(cell, 0);
    if (const auto number = as_number(cell)) numbers.emplace(*number, 0);
  }
  const bool numeric = std::ranges::all_of(words, [](const auto& word) { return as_number(word.first).has_value(); });
  for (auto& [number, index] : numbers) {
    if (!numeric) break;
    index = static_cast<int32_t>(factor.values.size());
    factor.values.push_back(number);
  }
  for (auto& [word, index] : words) {
    if (numeric) {
      index = numbers.at(*as_number(word));
      continue;
    }
    index = static_cast<int32_t>(factor.values.size());
    factor.values.push_back(static_cast<float>(index));
    factor.names.push_back(word);
  }
  classes.clear();
  for (size_t i = 1; i < rows.size(); ++i) classes.push_back(words.at(rows[i].cells[column]));
  return factor;
}

std::optional<size_t> label_column(const std::vector<std::string>& names) {
  for (size_t column = 1; column < names.size(); ++column) {
    if (names[column] == "label" || names[column] == "class") return column;
  }
  return names.size() == 2 ? std::optional<size_t>(1) : std::nullopt;
}

Rows read_rows(const std::string& path, const std::string& noun) {
  Rows rows = io::read_csv(path);
  check_io(rows.size() > 1 && rows.front().cells.size() > 1, "[", path,
           "] expected a row of names (file,label,...) and a row for each ", noun, ", got ", rows.size(), " rows of ",
           rows.empty() ? 0 : rows.front().cells.size(), " columns");
  for (const io::CsvRow& row : rows) {
    check_io(row.cells.size() == rows.front().cells.size(), "[", path, "] expected ", rows.front().cells.size(),
             " columns in line ", row.line, ", got ", row.cells.size());
  }
  return rows;
}

// For each row but the first, the place of its file.
std::vector<std::optional<size_t>> find_items(const Rows& rows, const std::string& path, FolderListing& listing) {
  const FileNames names(listing.items);
  std::vector<bool> seen(listing.items.size());
  std::vector<std::optional<size_t>> places;
  for (size_t i = 1; i < rows.size(); ++i) {
    const std::string& name = rows[i].cells.front();
    const auto place = names.find(name);
    if (!place)
      listing.failures.push_back(join(name, ": has a row in ", path, ", but no such ", listing.noun, " is there"));
    if (place) {
      check_io(!seen[*place], "[", path, "] expected each ", listing.noun, " once, got ", name, " again in line ",
               rows[i].line);
      seen[*place] = true;
    }
    places.push_back(place);
  }
  for (size_t k = 0; k < seen.size(); ++k) {
    if (!seen[k]) listing.items[k].reason = "has no row in " + path;
  }
  return places;
}

}  // namespace

std::vector<FactorInfo> apply_label_table(const std::string& path, FolderListing& listing) {
  const Rows rows = read_rows(path, listing.noun);
  const auto places = find_items(rows, path, listing);
  const auto label = label_column(rows.front().cells);
  if (label) {
    for (FolderItem& item : listing.items) item.class_name.clear();
    for (size_t i = 0; i < places.size(); ++i) {
      if (places[i]) listing.items[*places[i]].class_name = rows[i + 1].cells[*label];
    }
  }
  std::vector<FactorInfo> factors;
  std::vector<int32_t> classes;
  for (size_t column = 1; column < rows.front().cells.size(); ++column) {
    if (column == label) continue;
    factors.push_back(read_factor(rows, column, path, classes));
    for (size_t i = 0; i < places.size(); ++i) {
      if (places[i]) listing.items[*places[i]].factors.push_back(classes[i]);
    }
  }
  return factors;
}

}  // namespace orthant
