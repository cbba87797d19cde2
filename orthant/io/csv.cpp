#include "orthant/io/csv.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "orthant/core/error.h"
#include "orthant/io/atomic_file.h"
#include "orthant/io/mapped_file.h"
#include "orthant/io/text_lines.h"

namespace orthant::io {
namespace {

class CsvReader {
 public:
  CsvReader(std::string_view text, const std::string& name) : rest_(text), name_(name) {
    const size_t found = text.substr(0, text.find('\n')).find_first_of(",;\t");
    if (found != std::string_view::npos) separator_ = text[found];
  }

  std::vector<CsvRow> rows() {
    std::vector<CsvRow> all;
    while (!rest_.empty()) {
      CsvRow row{line_, {}};
      do row.cells.push_back(cell());
      while (take(separator_));
      end_line();
      if (row.cells.size() > 1 || !row.cells.front().empty()) all.push_back(std::move(row));
    }
    return all;
  }

 private:
  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void end_line() {
    take('\r');
    check_io(rest_.empty() || take('\n'), "[", name_, "] expected the end of a cell behind its quote in line ", line_,
             ", got more");
    ++line_;
  }

  std::string cell() {
    if (take('"')) return quoted();
    const size_t end = std::min(rest_.find_first_of(std::string("\n") + separator_), rest_.size());
    std::string value(rest_.substr(0, end));
    rest_.remove_prefix(end);
    if (value.ends_with('\r') && !rest_.starts_with(separator_)) value.pop_back();
    return value;
  }

  std::string quoted() {
    std::string value;
    const int64_t begin = line_;
    while (true) {
      const size_t end = rest_.find('"');
      check_io(end != std::string_view::npos, "[", name_, "] expected the quote of line ", begin, " to end, got the ",
               "end of the file");
      line_ += std::ranges::count(rest_.substr(0, end), '\n');
      value += rest_.substr(0, end);
      rest_.remove_prefix(end + 1);
      if (!take('"')) return value;
      value += '"';
    }
  }

  std::string_view rest_;
  const std::string& name_;
  char separator_ = ',';
  int64_t line_ = 1;
};

// RFC 4180: quoted where it has to be.
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string titles(const Embeddings& embeddings) {
  std::vector<std::string> names;
  if (!embeddings.ids.empty()) names.emplace_back("id");
  if (!embeddings.labels.empty()) names.emplace_back("label");
  for (const Factor& factor : embeddings.factors) names.push_back(cell(factor.name));
  for (int64_t j = 0; j < embeddings.cols(); ++j) {
    const bool named = !embeddings.feature_names.empty() && !embeddings.feature_names[static_cast<size_t>(j)].empty();
    names.push_back(named ? cell(embeddings.feature_names[static_cast<size_t>(j)]) : join("f", j));
  }
  std::string line;
  for (const std::string& name : names) line += (line.empty() ? "" : ",") + name;
  return line + "\n";
}

std::string label_text(const Embeddings& embeddings, int64_t label) {
  if (label < 0) return "";
  const bool named = static_cast<size_t>(label) < embeddings.class_names.size();
  return named ? cell(embeddings.class_names[static_cast<size_t>(label)]) : std::to_string(label);
}

void append(std::string& line, float value) {
  std::array<char, 32> digits;
  line.append(digits.data(), std::to_chars(digits.begin(), digits.end(), value).ptr);
}

void copy_row(const Embeddings& embeddings, int64_t i, std::vector<float>& dense) {
  if (const auto* matrix = std::get_if<Matrix>(&embeddings.features)) {
    std::ranges::copy(matrix->row(i), dense.begin());
    return;
  }
  std::ranges::fill(dense, 0.0F);
  const auto row = std::get<SparseMatrix>(embeddings.features).row(i);
  for (size_t k = 0; k < row.indices.size(); ++k) dense[static_cast<size_t>(row.indices[k])] = row.values[k];
}

}  // namespace

std::vector<CsvRow> parse_csv(std::span<const std::byte> bytes, const std::string& name) {
  return CsvReader(plain_text(bytes, name), name).rows();
}

std::vector<CsvRow> read_csv(const std::string& path) {
  const auto file = MappedFile::open(path);
  return parse_csv(file->bytes(), path);
}

void write_embeddings_csv(const std::string& path, const Embeddings& embeddings) {
  AtomicFile file(path);
  file.write(titles(embeddings));
  std::vector<float> dense(static_cast<size_t>(embeddings.cols()));
  for (int64_t i = 0; i < embeddings.rows(); ++i) {
    const auto item = static_cast<size_t>(i);
    std::string line;
    if (!embeddings.ids.empty()) line += cell(embeddings.ids[item]) + ",";
    if (!embeddings.labels.empty()) line += label_text(embeddings, embeddings.labels[item]) + ",";
    for (const Factor& factor : embeddings.factors) {
      append(line, factor.values[static_cast<size_t>(factor.classes[item])]);
      line += ',';
    }
    copy_row(embeddings, i, dense);
    for (size_t j = 0; j < dense.size(); ++j) {
      if (j > 0) line += ',';
      append(line, dense[j]);
    }
    file.write(line + "\n");
  }
  file.commit();
}

}  // namespace orthant::io
