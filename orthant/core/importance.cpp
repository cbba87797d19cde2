#include "orthant/core/importance.h"

#include <array>
#include <charconv>
#include <cmath>

#include "orthant/core/error.h"

namespace orthant {

std::vector<float> importance_of(const Embeddings& embeddings) {
  const auto said = embeddings.how.find(kLearnedImportance);
  if (said == embeddings.how.end()) return {};
  const std::string& text = said->second;
  std::vector<float> numbers(static_cast<size_t>(embeddings.cols()));
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  bool good = true;
  for (size_t j = 0; j < numbers.size() && good; ++j) {
    if (j > 0) good = at != end && *at++ == ',';
    const auto [next, error] = std::from_chars(at, end, numbers[j]);
    good = good && error == std::errc() && std::isfinite(numbers[j]) && numbers[j] >= 0;
    at = next;
  }
  check(good && at == end, "[embeddings] expected how.", kLearnedImportance, " to list ", numbers.size(),
        " numbers, finite and not negative, got '", text.substr(0, 60), "'");
  return numbers;
}

void put_importance(Embeddings& embeddings, std::span<const float> importance) {
  embeddings.how.erase(kLearnedImportance);
  if (importance.empty()) return;
  std::string text;
  std::array<char, 32> digits;
  for (const float number : importance) {
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
    if (!text.empty()) text += ',';
    text.append(digits.data(), end);
  }
  embeddings.how[kLearnedImportance] = text;
}

}  // namespace orthant
