#include "orthant/io/labels_file.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "orthant/core/error.h"
#include "orthant/io/embeddings_file.h"
#include "orthant/io/mapped_file.h"
#include "orthant/io/npy.h"
#include "orthant/io/safetensors.h"

namespace orthant::io {
namespace {

enum class Kind { npy, embeddings, text };

Kind kind_of(const std::string& path) {
  const auto file = MappedFile::open(path);
  const auto bytes = file->bytes();
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.starts_with("\x93NUMPY")) return Kind::npy;
  return text.starts_with("PK") || looks_like_safetensors(bytes) ? Kind::embeddings : Kind::text;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
    if (line.size() > 1 && line.front() == '"' && line.back() == '"') line = line.substr(1, line.size() - 2);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

std::optional<int64_t> as_integer(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// The integers of column k of K, numbered in rising order.
Factor factor_of(std::span<const int64_t> values, size_t k, size_t width) {
  std::map<int64_t, int32_t> classes;
  for (size_t at = k; at < values.size(); at += width) classes[values[at]] = 0;
  Factor factor{.name = "factor " + std::to_string(k), .values = {}, .classes = {}};
  for (auto& [value, number] : classes) {
    number = static_cast<int32_t>(factor.values.size());
    factor.values.push_back(static_cast<float>(value));
  }
  for (size_t at = k; at < values.size(); at += width) factor.classes.push_back(classes[values[at]]);
  return factor;
}

}  // namespace

NamedLabels parse_labels(std::string_view text, const std::string& path) {
  std::vector<std::string_view> lines = lines_of(text);
  check_io(!lines.empty(), "[", path, "] expected a label on each line, got an empty file");
  const auto integers =
      std::ranges::count_if(lines, [](std::string_view line) { return as_integer(line).has_value(); });
  const auto count = static_cast<std::ptrdiff_t>(lines.size());
  if (integers == count - 1 && count > 1 && !as_integer(lines.front())) lines.erase(lines.begin());
  NamedLabels result;
  if (integers >= static_cast<std::ptrdiff_t>(lines.size())) {
    for (const std::string_view line : lines) result.labels.push_back(*as_integer(line));
    return result;
  }
  std::map<std::string_view, int64_t> numbers;
  for (size_t i = 0; i < lines.size(); ++i) {
    check_io(!lines[i].empty(), "[", path, "] expected a label on each line, got an empty line ", i + 1);
    numbers[lines[i]] = 0;
  }
  for (auto& [name, number] : numbers) {
    number = static_cast<int64_t>(result.names.size());
    result.names.emplace_back(name);
  }
  for (const std::string_view line : lines) result.labels.push_back(numbers[line]);
  return result;
}

NamedLabels read_labels(const std::string& path) {
  const Kind kind = kind_of(path);
  if (kind == Kind::npy) return {to_integers(read_npy(path), path), {}};
  if (kind == Kind::embeddings) {
    Embeddings file = read_embeddings(path);
    check_io(!file.labels.empty(), "[", path, "] expected labels in the file, got none");
    return {std::move(file.labels), std::move(file.class_names)};
  }
  const auto file = MappedFile::open(path);
  return parse_labels({reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size()}, path);
}

std::vector<Factor> read_factors(const std::string& path) {
  const Kind kind = kind_of(path);
  check_io(kind != Kind::text, "[", path, "] expected an integer .npy of [items, factors] or embeddings with factors");
  if (kind == Kind::embeddings) {
    Embeddings file = read_embeddings(path);
    check_io(!file.factors.empty(), "[", path, "] expected factors in the file, got none");
    return std::move(file.factors);
  }
  Array array = read_npy(path);
  check_io(array.shape.size() == 2, "[", path, "] expected integers [items, factors], got shape ",
           shape_text(array.shape));
  const auto width = static_cast<size_t>(array.shape[1]);
  array.shape = {array.size()};
  const std::vector<int64_t> values = to_integers(array, path);
  std::vector<Factor> factors;
  for (size_t k = 0; k < width; ++k) factors.push_back(factor_of(values, k, width));
  return factors;
}

}  // namespace orthant::io
