#include "orthant/texts/text_source.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/data/selection.h"
#include "orthant/data/split.h"
#include "orthant/text/utf8.h"
#include "orthant/texts/text_dataset.h"
#include "orthant/texts/text_file.h"
#include "orthant/texts/text_table.h"

namespace orthant {
namespace {

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

// Counts what is blank where a text should be.
class Blanks {
 public:
  bool note(std::string_view text, size_t line) {
    if (!is_blank(text)) return false;
    if (count_++ == 0) first_ = line;
    return true;
  }
  void refuse(const std::string& path, const std::string& expected, const std::string& advice = "") const {
    check_io(count_ == 0, "[", path, "] expected ", expected, ", got ", count_,
             count_ == 1 ? " that is empty: line " : " that are empty, the first in line ", first_, advice);
  }

 private:
  size_t count_ = 0;
  size_t first_ = 0;
};

// A second file with a line for each text: its class, or its item.
class Companion {
 public:
  Companion(const std::string& path, const TextFile& texts, const std::string& one, const std::string& many) {
    if (path.empty()) return;
    file_ = read_text_file(path);
    check_io(file_->lines.size() == texts.lines.size(), "[", path, "] expected ", texts.lines.size(), " ", many,
             ", one for each line of ", texts.path, ", got ", file_->lines.size());
    Blanks blanks;
    for (size_t i = 0; i < file_->lines.size(); ++i) blanks.note(file_->lines[i], i + 1);
    blanks.refuse(path, one + " in every line");
  }

  std::string_view line(size_t i) const { return file_ ? file_->lines[i] : std::string_view(); }
  std::shared_ptr<const void> content() const { return file_ ? file_->content : nullptr; }

 private:
  std::optional<TextFile> file_;
};

std::shared_ptr<TextDataset> read_lines_of(const TextSource& source) {
  const TextFile file = read_text_file(source.file);
  const Companion labels(source.labels, file, "a label", "labels");
  const Companion ids(source.ids, file, "an id", "ids");
  using Contents = std::vector<std::shared_ptr<const void>>;
  auto all = std::make_shared<const Contents>(Contents{file.content, labels.content(), ids.content()});
  auto dataset = std::make_shared<TextDataset>("text:" + to_string(source), source.file, std::move(all));
  Blanks blanks;
  for (size_t i = 0; i < file.lines.size(); ++i) {
    if (source.skip_empty ? is_blank(file.lines[i]) : blanks.note(file.lines[i], i + 1)) continue;
    dataset->add(file.lines[i], {.line = i + 1, .id = ids.line(i), .label = labels.line(i), .split = {}});
  }
  blanks.refuse(source.file, "a text in every line", "; ,empty=skip behind the file's name passes over them");
  check_io(dataset->size() > 0, "[", source.file, "] expected lines of text, got empty ones only");
  return dataset;
}

std::string_view split_of(std::string_view word, const std::string& path, size_t line) {
  if (word == "train" || word == "test") return word;
  constexpr std::array<std::string_view, 4> kHeldOut = {"dev", "val", "valid", "validation"};
  check_io(std::ranges::find(kHeldOut, word) != kHeldOut.end(), "[", path,
           "] expected the split train or test (or dev, val, valid, validation) in line ", line, ", got ",
           word.empty() ? "nothing" : word);
  return "test";
}

class RowReader {
 public:
  RowReader(const TextTable& table, const TextSource& source) : table_(table), text_(table.column(source.column)) {
    const auto place = [&table](const std::string& name) {
      return name.empty() ? std::nullopt : std::optional(table.column(name));
    };
    id_ = place(source.id);
    label_ = place(source.label);
    split_ = place(source.split);
  }

  std::string_view text(const TextTable::Row& row) const { return row.cells[text_]; }

  TextDataset::Row facts(const TextTable::Row& row) const {
    TextDataset::Row facts{
        .line = row.line, .id = named(row, id_), .label = named(row, label_), .split = named(row, split_)};
    if (split_) facts.split = split_of(facts.split, table_.path, row.line);
    return facts;
  }

 private:
  std::string_view named(const TextTable::Row& row, const std::optional<size_t>& column) const {
    if (!column) return {};
    check_io(!is_blank(row.cells[*column]), "[", table_.path, "] expected a value of ", table_.columns[*column],
             " in line ", row.line, ", got nothing");
    return row.cells[*column];
  }

  const TextTable& table_;
  size_t text_;
  std::optional<size_t> id_, label_, split_;
};

std::shared_ptr<TextDataset> read_table_of(const TextSource& source) {
  const TextFile file = read_text_file(source.file);
  const TextTable table = parse_text_table(file);
  const RowReader reader(table, source);
  auto dataset = std::make_shared<TextDataset>("text:" + to_string(source), source.file, file.content);
  Blanks blanks;
  for (const TextTable::Row& row : table.rows) {
    if (source.skip_empty && std::ranges::any_of(row.cells, is_blank)) continue;
    if (blanks.note(reader.text(row), row.line)) continue;
    dataset->add(reader.text(row), reader.facts(row));
  }
  blanks.refuse(source.file, "a text in the column " + source.column + " of every row",
                "; empty=skip passes over rows with an empty cell");
  check_io(dataset->size() > 0, "[", source.file, "] expected rows without an empty cell, got none");
  return dataset;
}

DatasetPtr published_split(const std::shared_ptr<const TextDataset>& whole, const std::string& split) {
  const std::vector<int64_t> train = whole->items_of("train");
  const std::vector<int64_t> test = whole->items_of("test");
  DatasetInfo info = whole->info();
  check_split(split, info.name);
  info.split = split;
  info.splits = {{"train", std::ssize(train)}, {"test", std::ssize(test)}, {"all", whole->size()}};
  std::vector<int64_t> items = split == "train" ? train : test;
  if (split == "all") items.insert(items.begin(), train.begin(), train.end());
  check_io(!items.empty(), "[", info.name, "] expected items of the split ", split, ", got none");
  return std::make_shared<Selection>(whole, std::move(items), std::move(info));
}

using Options = std::vector<std::pair<std::string, std::string*>>;

// Takes ",key=value" off the end of `path`, as long as there is one.
void take_options(std::string& path, const Options& options, std::string& empty) {
  while (!exists(path)) {
    const size_t comma = path.rfind(',');
    const size_t equals = comma == std::string::npos ? comma : path.find('=', comma);
    if (equals == std::string::npos) return;
    const std::string key = path.substr(comma + 1, equals - comma - 1);
    const std::string value = path.substr(equals + 1);
    std::string* place = key == "empty" ? &empty : nullptr;
    for (const auto& [name, each] : options) place = name == key ? each : place;
    check(place != nullptr, "[text] expected column=, id=, label=, split=, ids= or empty=, got ", key, "=", value);
    check(place->empty() && !value.empty(), "[text] expected ", key, " once and with a value, got ", path);
    *place = value;
    path.resize(comma);
  }
}

}  // namespace

TextSource parse_text_source(const std::string& path) {
  TextSource source;
  source.file = path;
  std::string empty;
  take_options(source.file,
               {{"column", &source.column},
                {"id", &source.id},
                {"label", &source.label},
                {"split", &source.split},
                {"ids", &source.ids}},
               empty);
  check(empty.empty() || empty == "skip", "[text] expected empty=skip, got empty=", empty);
  source.skip_empty = !empty.empty();
  const bool of_table = !source.id.empty() || !source.label.empty() || !source.split.empty();
  check(!of_table || !source.column.empty(), "[text] expected column=NAME, which column has the texts, got ", path);
  check(source.column.empty() || source.ids.empty(), "[text] expected a table without a file of ids, got ", path);
  const size_t comma = source.file.rfind(',');
  if (comma == std::string::npos || exists(source.file)) return source;
  check(source.column.empty(), "[text] expected a table without a second file of labels, got ", path);
  source.labels = source.file.substr(comma + 1);
  source.file.resize(comma);
  return source;
}

std::string to_string(const TextSource& source) {
  std::string text = source.file;
  const auto add = [&text](const char* key, const std::string& value) {
    if (!value.empty()) text += std::string(",") + key + value;
  };
  add("", source.labels);
  add("ids=", source.ids);
  add("column=", source.column);
  add("id=", source.id);
  add("label=", source.label);
  add("split=", source.split);
  add("empty=", source.skip_empty ? "skip" : "");
  return text;
}

DatasetPtr open_texts(const TextSource& source, const std::string& split) {
  const std::shared_ptr<TextDataset> dataset = source.column.empty() ? read_lines_of(source) : read_table_of(source);
  dataset->finish();
  return source.split.empty() ? standard_split(dataset, split) : published_split(dataset, split);
}

}  // namespace orthant
