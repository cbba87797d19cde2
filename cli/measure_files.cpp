#include "cli/measure_files.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>

#include "orthant/core/error.h"
#include "orthant/io/embeddings_file.h"
#include "orthant/io/mapped_file.h"
#include "orthant/io/npy.h"
#include "orthant/io/safetensors.h"

namespace orthant::cli {
namespace {

enum class Kind { npy, embeddings, text };

Kind kind_of(const std::string& path) {
  const auto file = io::MappedFile::open(path);
  const auto bytes = file->bytes();
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.starts_with("\x93NUMPY")) return Kind::npy;
  return text.starts_with("PK") || io::looks_like_safetensors(bytes) ? Kind::embeddings : Kind::text;
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

std::variant<Matrix, SparseMatrix> rows_of(const std::shared_ptr<const Embeddings>& file, int64_t begin, int64_t end) {
  if (const auto* dense = std::get_if<Matrix>(&file->features)) {
    return Matrix::borrow(dense->data() + begin * dense->cols(), end - begin, dense->cols(), file);
  }
  const auto& sparse = std::get<SparseMatrix>(file->features);
  const auto indptr = sparse.indptr();
  const int64_t from = indptr[static_cast<size_t>(begin)];
  const auto count = static_cast<size_t>(indptr[static_cast<size_t>(end)] - from);
  std::vector<int64_t> starts;
  for (int64_t i = begin; i <= end; ++i) starts.push_back(indptr[static_cast<size_t>(i)] - from);
  const auto indices = sparse.indices().subspan(static_cast<size_t>(from), count);
  const auto values = sparse.values().subspan(static_cast<size_t>(from), count);
  return SparseMatrix(end - begin, sparse.cols(), std::move(starts), {indices.begin(), indices.end()},
                      {values.begin(), values.end()});
}

bool holds_both_views(const Embeddings& file) {
  const auto stated = file.how.find("views");
  if (stated != file.how.end()) return stated->second == "2";
  return !file.ids.empty() && file.ids.front().ends_with("#0") && file.ids.back().ends_with("#1");
}

}  // namespace

std::string embeddings_path(const std::string& path) {
  if (!std::filesystem::is_directory(path)) return path;
  std::string run = path;
  while (run.size() > 1 && run.back() == '/') run.pop_back();
  const std::string file = run + "/embeddings/test-projector.safetensors";
  check(std::filesystem::exists(file), "[", path, "] expected embeddings in ", file,
        ", got none; make them with: orthant embed ", run, " --split test");
  return file;
}

NamedLabels read_named_labels(const std::string& path) {
  const Kind kind = kind_of(path);
  if (kind == Kind::npy) return {io::to_integers(io::read_npy(path), path), {}};
  if (kind == Kind::embeddings) {
    Embeddings file = io::read_embeddings(path);
    check_io(!file.labels.empty(), "[", path, "] expected labels in the file, got none");
    return {std::move(file.labels), std::move(file.class_names)};
  }
  const auto file = io::MappedFile::open(path);
  return parse_labels({reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size()}, path);
}

std::vector<int64_t> read_labels(const std::string& path) { return read_named_labels(path).labels; }

std::vector<Factor> read_factors(const std::string& path) {
  const Kind kind = kind_of(path);
  check_io(kind != Kind::text, "[", path, "] expected an integer .npy of [items, factors] or embeddings with factors");
  if (kind == Kind::embeddings) {
    Embeddings file = io::read_embeddings(path);
    check_io(!file.factors.empty(), "[", path, "] expected factors in the file, got none");
    return std::move(file.factors);
  }
  io::Array array = io::read_npy(path);
  check_io(array.shape.size() == 2, "[", path, "] expected integers [items, factors], got shape ",
           io::shape_text(array.shape));
  const auto width = static_cast<size_t>(array.shape[1]);
  array.shape = {array.size()};
  const std::vector<int64_t> values = io::to_integers(array, path);
  std::vector<Factor> factors;
  for (size_t k = 0; k < width; ++k) factors.push_back(factor_of(values, k, width));
  return factors;
}

ViewPair read_views(const std::string& path, int64_t rows, int64_t cols) {
  ViewPair pair;
  pair.file = std::make_shared<const Embeddings>(io::read_embeddings(path));
  const int64_t held = pair.file->rows();
  check(pair.file->cols() == cols, "[", path, "] expected views of ", cols, " features, got ", pair.file->cols());
  if (holds_both_views(*pair.file) && held % 2 == 0) {
    pair.first = rows_of(pair.file, 0, held / 2);
    pair.second = rows_of(pair.file, held / 2, held);
    return pair;
  }
  check(held == rows, "[", path, "] expected a second view of each of the ", rows,
        " rows, or the file that `orthant embed --views 2` wrote, got ", held, " rows");
  pair.second = pair.file->features;
  pair.first_is_features = true;
  return pair;
}

}  // namespace orthant::cli
