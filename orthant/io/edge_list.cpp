#include "orthant/io/edge_list.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "orthant/core/error.h"
#include "orthant/io/mapped_file.h"

namespace orthant::io {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr std::string_view kBlanks = " \t\r";
constexpr size_t kShownBytes = 40;

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\t'; }

// A field as a message may show it: short, without control characters.
std::string shown(std::string_view field) {
  std::string text(field.substr(0, kShownBytes));
  std::ranges::replace_if(text, is_control, '?');
  return "'" + text + (field.size() > kShownBytes ? "...'" : "'");
}

class Parser {
 public:
  explicit Parser(const std::string& name) : name_(name) {}

  EdgeList parse(std::string_view text) {
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    while (!text.empty()) {
      const size_t end = std::min(text.find('\n'), text.size());
      ++line_;
      parse_line(trimmed(text.substr(0, end)));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    check_io(!list_.from.empty(), "[", name_, "] expected at least one edge ('name name [weight]'), got none");
    return std::move(list_);
  }

 private:
  void parse_line(std::string_view line) {
    if (line.empty() || line.front() == '#' || line.front() == '%') return;
    const bool plain = std::ranges::none_of(line, is_control);
    check_io(plain, where(), "expected text, got a control character");
    const size_t count = split(line);
    check_io(count <= 3, where(), "expected two names and at most a weight, got more fields: ", shown(line));
    const int32_t from = node(fields_[0]);
    if (count == 1) return;
    const int32_t to = node(fields_[1]);
    list_.weights.push_back(count == 3 ? weight(fields_[2]) : 1.0);
    list_.from.push_back(from);
    list_.to.push_back(to);
  }

  // Fills fields_ and returns how many there are; 4 stands for more.
  size_t split(std::string_view line) {
    if (separator_ == 0 && line.find('\t') != std::string_view::npos) separator_ = '\t';
    if (separator_ == 0 && line.find(',') != std::string_view::npos) separator_ = ',';
    if (separator_ == 0 && line.find(' ') != std::string_view::npos) separator_ = ' ';
    size_t count = 0;
    for (bool more = true; more; ++count) {
      if (count == fields_.size()) return count + 1;
      const size_t end =
          separator_ == ' ' ? line.find_first_of(kBlanks) : line.find(separator_ == 0 ? '\n' : separator_);
      more = end != std::string_view::npos;
      fields_[count] = trimmed(line.substr(0, end));
      if (more) line.remove_prefix(end + 1);
      if (separator_ == ' ') line = trimmed(line);
    }
    return count;
  }

  int32_t node(std::string_view text) {
    check_io(!text.empty(), where(), "expected a node's name, got an empty field");
    const auto [found, added] = index_.try_emplace(text, static_cast<int32_t>(list_.nodes.size()));
    if (added) {
      check_io(list_.nodes.size() < INT32_MAX, where(), "expected fewer than 2^31 nodes, got more");
      list_.nodes.emplace_back(text);
    }
    return found->second;
  }

  double weight(std::string_view text) const {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool read = error == std::errc() && end == text.data() + text.size();
    check_io(read && std::isfinite(value), where(), "expected a number as weight, got ", shown(text),
             line_ == 1 ? "; begin a line of column names with '#'" : "");
    check_io(value >= 0, where(), "expected a weight of 0 or more, got ", value);
    return value;
  }

  std::string where() const { return "[" + name_ + " line " + std::to_string(line_) + "] "; }

  const std::string& name_;
  int64_t line_ = 0;
  char separator_ = 0;  // 0: not known yet
  std::array<std::string_view, 3> fields_;
  std::unordered_map<std::string_view, int32_t> index_;  // views of the text
  EdgeList list_;
};

}  // namespace

EdgeList read_edge_list(const std::string& path) {
  const auto file = MappedFile::open(path);
  const auto bytes = file->bytes();
  return parse_edge_list({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path);
}

EdgeList parse_edge_list(std::string_view text, const std::string& name) { return Parser(name).parse(text); }

}  // namespace orthant::io
