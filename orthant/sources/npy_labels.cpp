#include "orthant/sources/npy_labels.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "orthant/core/error.h"
#include "orthant/io/mapped_file.h"
#include "orthant/io/npy.h"
#include "orthant/io/npy_header.h"
#include "orthant/io/text_lines.h"

namespace orthant {
namespace {

constexpr int64_t kMaxClasses = 1'000'000;

void check_count(size_t got, int64_t count, const std::string& name) {
  check_io(static_cast<int64_t>(got) == count, "[", name, "] expected ", count, " labels, one for each item, got ",
           got);
}

ItemLabels by_number(std::vector<int64_t> labels, const std::string& name) {
  for (const int64_t label : labels) {
    check_io(label >= -1 && label < kMaxClasses, "[", name, "] expected labels from 0 to ", kMaxClasses - 1,
             ", or -1 for none, got ", label);
  }
  ItemLabels result{std::move(labels), {}};
  const int64_t largest = result.labels.empty() ? -1 : std::ranges::max(result.labels);
  for (int64_t label = 0; label <= largest; ++label) result.names.push_back(std::to_string(label));
  return result;
}

std::optional<int64_t> as_whole(const std::string& text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

ItemLabels by_name(const std::vector<std::string>& words) {
  std::map<std::string, int64_t> label_of;
  for (const std::string& word : words) {
    if (!word.empty()) label_of.emplace(word, 0);
  }
  ItemLabels result;
  for (auto& [name, label] : label_of) {
    label = static_cast<int64_t>(result.names.size());
    result.names.push_back(name);
  }
  for (const std::string& word : words) result.labels.push_back(word.empty() ? -1 : label_of.at(word));
  return result;
}

}  // namespace

ItemLabels labels_from_array(const io::Array& array, int64_t count, const std::string& name) {
  std::vector<int64_t> labels = io::to_integers(array, name);
  check_count(labels.size(), count, name);
  return by_number(std::move(labels), name);
}

ItemLabels read_item_labels(const std::string& path, int64_t count) {
  const auto file = io::MappedFile::open(path);
  if (path.ends_with(".npy") || io::looks_like_npy(file->bytes())) {
    return labels_from_array(io::parse_npy(file->bytes(), path, file), count, path);
  }
  const std::vector<std::string> lines = io::read_lines(path);
  check_count(lines.size(), count, path);
  std::vector<int64_t> numbers;
  for (const std::string& line : lines) {
    const auto number = line.empty() ? -1 : as_whole(line);
    if (!number) return by_name(lines);
    numbers.push_back(*number);
  }
  return by_number(std::move(numbers), path);
}

}  // namespace orthant
