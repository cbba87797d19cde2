#include "orthant/core/embeddings.h"

#include <string_view>
#include <unordered_map>

#include "orthant/core/error.h"

namespace orthant {

int64_t Embeddings::rows() const {
  return std::visit([](const auto& m) { return m.rows(); }, features);
}

int64_t Embeddings::cols() const {
  return std::visit([](const auto& m) { return m.cols(); }, features);
}

void Embeddings::validate() const {
  const auto n = static_cast<size_t>(rows());
  const auto fits = [n](size_t length) { return length == 0 || length == n; };
  check(fits(labels.size()), "[Embeddings] expected ", n, " labels, got ", labels.size());
  check(fits(ids.size()), "[Embeddings] expected ", n, " ids, got ", ids.size());
  for (size_t i = 0; i < labels.size(); ++i) {
    const bool known = class_names.empty() || labels[i] < static_cast<int64_t>(class_names.size());
    check(labels[i] >= -1 && known, "[Embeddings] expected label ", i, " to be -1 or one of ", class_names.size(),
          " classes, got ", labels[i]);
  }
  check(feature_names.empty() || static_cast<int64_t>(feature_names.size()) == cols(), "[Embeddings] expected ", cols(),
        " names of features, got ", feature_names.size());
  std::unordered_map<std::string_view, size_t> named;
  for (size_t j = 0; j < feature_names.size(); ++j) {
    if (feature_names[j].empty()) continue;
    const auto [first, is_new] = named.emplace(feature_names[j], j);
    check(is_new, "[Embeddings] expected each feature to have a name of its own, got '", feature_names[j],
          "' for features ", first->second, " and ", j);
  }
  for (const Factor& factor : factors) {
    check(factor.classes.size() == n, "[Embeddings] expected ", n, " values of factor ", factor.name, ", got ",
          factor.classes.size());
    for (const int32_t c : factor.classes) {
      check(c >= 0 && static_cast<size_t>(c) < factor.values.size(), "[Embeddings] expected classes of factor ",
            factor.name, " from 0 to ", factor.values.size(), " - 1, got ", c);
    }
  }
}

}  // namespace orthant
