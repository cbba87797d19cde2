#include "orthant/graph/node_files.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <set>

#include "orthant/core/error.h"
#include "orthant/io/mapped_file.h"
#include "orthant/text/utf8.h"

namespace orthant {
namespace {

constexpr int64_t kMostDims = 1 << 20;
constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

using Fields = std::vector<std::string_view>;

class Lines {
 public:
  Lines(std::string_view text, const std::string& path) : text_(text), path_(path) {
    if (text_.starts_with("\xef\xbb\xbf")) text_.remove_prefix(3);
  }

  // The fields of the next line that has any; false at the end.
  bool next(Fields& fields) {
    while (!text_.empty()) {
      const size_t end = std::min(text_.find('\n'), text_.size());
      const std::string_view line = trimmed(text_.substr(0, end));
      text_.remove_prefix(std::min(end + 1, text_.size()));
      ++number_;
      if (line.empty() || line.front() == '#' || line.front() == '%') continue;
      check_io(line.find('\0') == std::string_view::npos, where(), "expected text, got a zero byte");
      check_io(first_invalid_utf8(line) == std::string_view::npos, where(), "expected text in UTF-8, got other bytes");
      split(line, fields);
      return true;
    }
    return false;
  }

  std::string where() const { return "[" + path_ + " line " + std::to_string(number_) + "] "; }

 private:
  void split(std::string_view line, Fields& fields) {
    if (separator_ == 0) {
      separator_ = line.find('\t') != std::string_view::npos  ? '\t'
                   : line.find(',') != std::string_view::npos ? ','
                                                              : ' ';
    }
    fields.clear();
    while (!line.empty()) {
      const size_t end = separator_ == ' ' ? line.find_first_of(kBlanks) : line.find(separator_);
      fields.push_back(trimmed(line.substr(0, end)));
      line = end == std::string_view::npos ? std::string_view() : line.substr(end + 1);
      if (separator_ == ' ') line = trimmed(line);
    }
    check_io(!fields.front().empty(), where(), "expected a node's name, got an empty field");
  }

  std::string_view text_;
  std::string path_;
  int64_t number_ = 0;
  char separator_ = 0;
};

// A node may have one line only.
class Once {
 public:
  void check_new(std::string_view node, const Lines& lines) {
    check_io(seen_.insert(std::string(node)).second, lines.where(), "expected each node once, got ", node, " again");
  }

 private:
  std::set<std::string, std::less<>> seen_;
};

std::pair<int64_t, float> entry_of(std::string_view field, const Lines& lines) {
  const size_t colon = field.find(':');
  int64_t place = -1;
  float value = 0;
  bool read = colon != std::string_view::npos;
  if (read) {
    const auto index = std::from_chars(field.data(), field.data() + colon, place);
    const char* const end = field.data() + field.size();
    const auto number = std::from_chars(field.data() + colon + 1, end, value);
    read =
        index.ec == std::errc() && index.ptr == field.data() + colon && number.ec == std::errc() && number.ptr == end;
  }
  check_io(read, lines.where(), "expected number:value, got ", field);
  check_io(place >= 0 && place < kMostDims, lines.where(), "expected a feature from 0 to ", kMostDims - 1, ", got ",
           place);
  check_io(std::isfinite(value), lines.where(), "expected a finite value, got ", field);
  return {place, value};
}

std::string split_of(std::string_view word, const Lines& lines) {
  constexpr std::array<std::string_view, 4> kHeldOut = {"val", "dev", "valid", "validation"};
  if (std::ranges::find(kHeldOut, word) != kHeldOut.end()) return "val";
  check_io(word == "train" || word == "test" || word == "none", lines.where(),
           "expected the split train, test, val or none, got ", word);
  return std::string(word);
}

template <class Result>
Result read(const std::string& path, const std::function<Result(std::string_view, const std::string&)>& parse) {
  const auto file = io::MappedFile::open(path);
  const auto bytes = file->bytes();
  return parse({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path);
}

}  // namespace

NodeFeatures parse_node_features(std::string_view text, const std::string& path) {
  NodeFeatures found;
  Lines lines(text, path);
  Once once;
  Fields fields;
  while (lines.next(fields)) {
    once.check_new(fields[0], lines);
    std::vector<std::pair<int64_t, float>> row;
    for (size_t k = 1; k < fields.size(); ++k) row.push_back(entry_of(fields[k], lines));
    std::ranges::sort(row, {}, &std::pair<int64_t, float>::first);
    const auto twice = std::ranges::adjacent_find(row, {}, &std::pair<int64_t, float>::first);
    check_io(twice == row.end(), lines.where(), "expected each feature once, got ",
             twice == row.end() ? 0 : twice->first, " again");
    if (!row.empty()) found.dims = std::max(found.dims, row.back().first + 1);
    found.nodes.emplace_back(fields[0]);
    found.rows.push_back(std::move(row));
  }
  check_io(found.dims > 0, "[", path, "] expected features of nodes ('node i:v ...'), got none");
  return found;
}

NodeLabels parse_node_labels(std::string_view text, const std::string& path) {
  NodeLabels found;
  Lines lines(text, path);
  Once once;
  Fields fields;
  while (lines.next(fields)) {
    check_io(fields.size() == 2 || fields.size() == 3, lines.where(),
             "expected a node, its label and at most a split, ", "got ", fields.size(),
             fields.size() == 1 ? " field" : " fields");
    check_io(!fields[1].empty(), lines.where(), "expected a label, got an empty field");
    once.check_new(fields[0], lines);
    const std::string split = fields.size() == 3 ? split_of(fields[2], lines) : "";
    check_io(found.rows.empty() || found.rows.front().split.empty() == split.empty(), lines.where(),
             "expected a split in every line or in none, got ", split.empty() ? "none" : split);
    found.rows.push_back({std::string(fields[0]), std::string(fields[1]), split});
  }
  check_io(!found.rows.empty(), "[", path, "] expected labels of nodes ('node label [split]'), got none");
  return found;
}

NodeFeatures read_node_features(const std::string& path) { return read<NodeFeatures>(path, parse_node_features); }
NodeLabels read_node_labels(const std::string& path) { return read<NodeLabels>(path, parse_node_labels); }

bool looks_like_node_features(std::string_view text) {
  try {
    Lines lines(text.substr(0, 1 << 16), "");
    Fields fields;
    return lines.next(fields) && fields.size() > 1 && fields[1].find(':') != std::string_view::npos;
  } catch (const IoError&) {
    return false;
  }
}

}  // namespace orthant
