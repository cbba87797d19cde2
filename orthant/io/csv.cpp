#include "orthant/io/csv.h"

#include <algorithm>

#include "orthant/core/error.h"
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

}  // namespace

std::vector<CsvRow> parse_csv(std::span<const std::byte> bytes, const std::string& name) {
  return CsvReader(plain_text(bytes, name), name).rows();
}

std::vector<CsvRow> read_csv(const std::string& path) {
  const auto file = MappedFile::open(path);
  return parse_csv(file->bytes(), path);
}

}  // namespace orthant::io
