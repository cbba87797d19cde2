#include "orthant/exchange/feature_keys.h"

#include <algorithm>
#include <unordered_set>

#include "orthant/core/error.h"
#include "orthant/exchange/text.h"

namespace orthant::exchange {
namespace {

// Empty if the name does not fit.
std::string fitted(std::string name, const NameRules& rules) {
  const bool plain = std::ranges::none_of(name, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
  });
  const int64_t characters = code_points(name);
  if (!plain || characters < 0 || characters > rules.max_characters) return "";
  if (!rules.dots) std::ranges::replace(name, '.', '_');
  return name;
}

}  // namespace

std::vector<std::string> feature_keys(const Embeddings& embeddings, const NameRules& rules) {
  std::vector<std::string> keys;
  std::unordered_set<std::string> taken;
  for (int64_t j = 0; j < embeddings.cols(); ++j) {
    std::string key = embeddings.feature_names.empty() ? "" : embeddings.feature_names[static_cast<size_t>(j)];
    key = fitted(std::move(key), rules);
    if (key.empty() || taken.contains(key)) key = join("f", j);
    while (taken.contains(key)) key += '_';
    taken.insert(key);
    keys.push_back(std::move(key));
  }
  return keys;
}

std::vector<std::string> feature_numbers(int64_t cols) {
  std::vector<std::string> keys;
  for (int64_t j = 0; j < cols; ++j) keys.push_back(std::to_string(j));
  return keys;
}

}  // namespace orthant::exchange
