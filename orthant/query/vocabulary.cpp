#include "orthant/query/vocabulary.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "orthant/core/error.h"
#include "orthant/core/nearest.h"

namespace orthant::query {
namespace {

// The number behind the f of f12; nothing if it is not such a name.
std::optional<int64_t> number_of(const std::string& name) {
  if (name.size() < 2 || name.front() != 'f') return std::nullopt;
  int64_t number = -1;
  const char* const end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + 1, end, number);
  if (stop != end || name[1] == '-') return std::nullopt;
  return error == std::errc() ? number : INT64_MAX;
}

[[noreturn]] void unknown(const std::string& where, const std::string& kind, const std::string& name,
                          const std::vector<std::string>& known) {
  const std::string* const near = nearest(name, known);
  fail("[", where, "] expected the name of a ", kind, ", got '", name, "'",
       near != nullptr && !near->empty() ? "; did you mean '" + *near + "'?" : "");
}

}  // namespace

int64_t Vocabulary::feature(const std::string& name, const std::string& where) const {
  if (!name.empty()) {
    const auto found = std::ranges::find(feature_names, name);
    if (found != feature_names.end()) return found - feature_names.begin();
  }
  const auto number = number_of(name);
  if (!number) unknown(where, "feature (or f0, f1, ...)", name, feature_names);
  check(*number < features, "[", where, "] expected a feature from f0 to f", features - 1, ", got ", name);
  return *number;
}

int64_t Vocabulary::label(const std::string& name, const std::string& where) const {
  check(!class_names.empty(), "[", where, "] expected items with classes for class ", name,
        ", got items without labels");
  const auto found = std::ranges::find(class_names, name);
  if (found == class_names.end()) unknown(where, "class", name, class_names);
  return found - class_names.begin();
}

Vocabulary vocabulary_of(const Embeddings& embeddings) {
  Vocabulary words{embeddings.cols(), embeddings.feature_names, embeddings.class_names};
  if (words.class_names.empty() && !embeddings.labels.empty()) {
    constexpr int64_t kMostClasses = 65'536;
    const int64_t largest = std::ranges::max(embeddings.labels);
    check(largest < kMostClasses, "[labels] expected classes without names from 0 to ", kMostClasses - 1, ", got ",
          largest);
    for (int64_t label = 0; label <= largest; ++label) words.class_names.push_back(std::to_string(label));
  }
  return words;
}

}  // namespace orthant::query
