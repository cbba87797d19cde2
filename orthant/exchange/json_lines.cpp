#include "orthant/exchange/json_lines.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_map>

#include "orthant/core/error.h"
#include "orthant/core/features.h"
#include "orthant/exchange/sorted_row.h"
#include "orthant/shards/row_store.h"

namespace orthant::exchange {
namespace {

using nlohmann::json;

constexpr std::array kNests = {"vector", "sparse_values", "sparse_vector", "features"};
constexpr int64_t kMostColumns = INT32_MAX;

// "17", or with a prefix "f17", written the only way.
std::optional<int64_t> number_of(std::string_view text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return std::nullopt;
  text.remove_prefix(prefix.size());
  int64_t value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size() && value >= 0 && value < kMostColumns;
  if (!whole || (text.size() > 1 && text.front() == '0')) return std::nullopt;
  return value;
}

class Reader {
 public:
  Reader(const std::string& name, const JsonLinesOptions& options) : name_(name), options_(options) {}

  void read(std::string_view text) {
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size());
      ++line_;
      const std::string_view line = text.substr(at, end - at);
      if (line.find_first_not_of(" \t\r") != std::string_view::npos) read_line(line);
      at = end + 1;
      if (options_.progress && line_ % 1024 == 0) {
        options_.progress(std::ssize(text.substr(0, at)), std::ssize(text));
      }
    }
  }

  Embeddings finish() {
    check_io(rows() > 0, "[", name_, "] expected a line of JSON for each item, got none");
    Embeddings embeddings;
    embeddings.ids = std::move(ids_);
    name_classes(embeddings);
    if (by_token_ && *by_token_) {
      place_tokens(embeddings);
    } else {
      embeddings.features = store_.finish(options_.dims > 0 ? options_.dims : largest_ + 1);
    }
    return embeddings;
  }

 private:
  template <class... Parts>
  void check_line(bool condition, const Parts&... parts) const {
    check_io(condition, "[", name_, "] expected ", parts..., " in line ", line_);
  }

  int64_t rows() const { return store_.rows(); }

  void read_line(std::string_view line) {
    const json object = json::parse(line, nullptr, false);
    check_line(object.is_object(), "a JSON object, got ", object.is_discarded() ? "no JSON" : object.type_name());
    read_vector(object);
    read_id(object);
    read_label(object);
  }

  void read_vector(const json& object) {
    const json* vector = &object;
    for (const char* nest : kNests) {
      const auto found = object.find(nest);
      if (found == object.end() || object.contains("indices")) continue;
      check_line(found->is_object(), "an object as \"", nest, "\", got ", found->type_name());
      vector = &*found;
      break;
    }
    const bool lists = vector->contains("indices") && vector->at("indices").is_array();
    check_line(lists || vector != &object, "\"indices\" and \"values\", or \"vector\", got neither");
    check_line(!by_token_ || *by_token_ != lists, "vectors of one kind, got indices and names of features");
    by_token_ = !lists;
    row_.clear();
    lists ? read_lists(*vector) : read_tokens(*vector);
    store_.append(row_.sorted(name_, rows()));
  }

  float value_of(const json& value) const {
    check_line(value.is_number(), "numbers as values, got ", value.type_name());
    const double number = value.get<double>();
    check_line(std::abs(number) <= std::numeric_limits<float>::max(), "values that a float can hold, got ", number);
    return static_cast<float>(number);
  }

  void read_lists(const json& vector) {
    const json& indices = vector.at("indices");
    const auto values = vector.find("values");
    check_line(values != vector.end() && values->is_array() && values->size() == indices.size(),
               "as many \"values\" as \"indices\" (", indices.size(), "), got ",
               values != vector.end() && values->is_array() ? std::to_string(values->size()) : "none");
    const int64_t limit = options_.dims > 0 ? options_.dims : kMostColumns;
    for (size_t k = 0; k < indices.size(); ++k) {
      check_line(indices[k].is_number_integer(), "whole numbers as indices, got ", indices[k].dump());
      const bool fits = indices[k].is_number_unsigned() && indices[k].get<uint64_t>() < static_cast<uint64_t>(limit);
      check_line(fits, "indices from 0 to ", limit - 1, ", got ", indices[k].dump());
      const auto column = indices[k].get<int32_t>();
      largest_ = std::max(largest_, int64_t{column});
      row_.add(column, value_of((*values)[k]));
    }
  }

  // Columns in the order in which tokens come, for now.
  void read_tokens(const json& vector) {
    for (const auto& [token, value] : vector.items()) {
      const auto [found, is_new] = columns_.emplace(token, static_cast<int32_t>(columns_.size()));
      row_.add(found->second, value_of(value));
    }
  }

  void read_id(const json& object) {
    const auto found = object.find("id");
    const bool given = found != object.end();
    if (rows() == 1) has_ids_ = given;
    check_line(given == has_ids_, "\"id\" for all items or for none, got ", given ? "one" : "none");
    if (!given) return;
    check_line(found->is_string() || found->is_number_integer(), "a text or a whole number as \"id\", got ",
               found->type_name());
    ids_.push_back(found->is_string() ? found->get<std::string>() : found->dump());
  }

  void read_label(const json& object) {
    const auto found = object.find("label");
    if (found == object.end() || found->is_null()) {
      labels_.emplace_back(std::nullopt);
      return;
    }
    check_line(found->is_string() || found->is_number_integer(), "a text or a whole number as \"label\", got ",
               found->type_name());
    labels_.emplace_back(found->is_string() ? found->get<std::string>() : found->dump());
  }

  // Classes by their number if all labels are numbers, otherwise by name.
  void name_classes(Embeddings& embeddings) const {
    std::map<std::string, int64_t> classes;
    bool numbers = true;
    for (const auto& label : labels_) {
      if (!label) continue;
      classes.emplace(*label, 0);
      numbers = numbers && number_of(*label, "").has_value();
    }
    if (classes.empty()) return;
    if (!numbers) {
      for (auto& [name, number] : classes) {
        number = std::ssize(embeddings.class_names);
        embeddings.class_names.push_back(name);
      }
    }
    for (const auto& label : labels_) {
      embeddings.labels.push_back(!label ? -1 : numbers ? *number_of(*label, "") : classes.at(*label));
    }
  }

  // From the order of appearance to columns that mean something.
  void place_tokens(Embeddings& embeddings) {
    std::vector<std::string_view> tokens(columns_.size());
    for (const auto& [token, column] : columns_) tokens[static_cast<size_t>(column)] = token;
    std::vector<int32_t> place(tokens.size());
    int64_t cols = 0;
    bool numbered = false;
    for (const char* prefix : {"", "f"}) {
      numbered =
          std::ranges::all_of(tokens, [&](std::string_view token) { return number_of(token, prefix).has_value(); });
      if (!numbered) continue;
      for (size_t t = 0; t < tokens.size(); ++t) {
        place[t] = static_cast<int32_t>(*number_of(tokens[t], prefix));
        cols = std::max(cols, int64_t{place[t]} + 1);
      }
      break;
    }
    if (!numbered) {
      std::vector<int32_t> order(tokens.size());
      for (size_t t = 0; t < tokens.size(); ++t) order[t] = static_cast<int32_t>(t);
      std::ranges::sort(order, {}, [&](int32_t t) { return tokens[static_cast<size_t>(t)]; });
      for (const int32_t t : order) {
        place[static_cast<size_t>(t)] = static_cast<int32_t>(cols++);
        embeddings.feature_names.emplace_back(tokens[static_cast<size_t>(t)]);
      }
      // An empty name would be none at all.
      if (!embeddings.feature_names.empty()) {
        check_io(!embeddings.feature_names.front().empty(), "[", name_,
                 "] expected names of features, got an empty one");
      }
    }
    check_io(options_.dims == 0 || cols <= options_.dims, "[", name_, "] expected at most ", options_.dims,
             " features, got ", cols);
    cols = std::max(cols, options_.dims);
    if (!numbered) embeddings.feature_names.resize(static_cast<size_t>(cols));
    const auto stored = store_.finish(static_cast<int64_t>(tokens.size()));
    const Features appeared = std::holds_alternative<Matrix>(stored) ? Features(std::get<Matrix>(stored))
                                                                     : Features(std::get<SparseMatrix>(stored));
    shards::RowStore placed;
    for (int64_t i = 0; i < appeared.rows(); ++i) {
      row_.clear();
      appeared.visit_row(i, [&](int64_t column, float value) {
        if (value != 0) row_.add(place[static_cast<size_t>(column)], value);
      });
      placed.append(row_.sorted(name_, i));
    }
    embeddings.features = placed.finish(cols);
  }

  const std::string& name_;
  const JsonLinesOptions& options_;
  int64_t line_ = 0;
  int64_t largest_ = -1;
  std::optional<bool> by_token_;
  bool has_ids_ = false;
  SortedRow row_;
  shards::RowStore store_;
  std::unordered_map<std::string, int32_t> columns_;
  std::vector<std::string> ids_;
  std::vector<std::optional<std::string>> labels_;
};

}  // namespace

Embeddings parse_json_lines(std::string_view text, const std::string& name, const JsonLinesOptions& options) {
  Reader reader(name, options);
  reader.read(text);
  return reader.finish();
}

}  // namespace orthant::exchange
