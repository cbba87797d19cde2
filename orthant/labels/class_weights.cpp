#include "orthant/labels/class_weights.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "orthant/core/error.h"

namespace orthant {
namespace {

constexpr const char* kWhere = "[labels.class_weights] ";

std::vector<double> balanced(std::span<const int64_t> labels, int64_t classes) {
  std::vector<double> weights;
  for (int64_t c = 0; c < classes; ++c) {
    const auto count = std::ranges::count(labels, c);
    check(count > 0, kWhere, "expected items of each of the ", classes, " classes, got none of class ", c);
    weights.push_back(static_cast<double>(labels.size()) / static_cast<double>(classes * count));
  }
  return weights;
}

double parsed(std::string text) {
  std::erase(text, ' ');
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  check(whole && std::isfinite(value) && value > 0, kWhere,
        "expected none, balanced or positive numbers separated by commas, got '", text, "'");
  return value;
}

}  // namespace

std::vector<double> class_weights(const std::string& choice, std::span<const int64_t> labels, int64_t classes) {
  if (choice == "none") return {};
  if (choice == "balanced") return balanced(labels, classes);
  std::vector<double> weights;
  for (size_t begin = 0; begin <= choice.size();) {
    const size_t end = std::min(choice.find(',', begin), choice.size());
    weights.push_back(parsed(choice.substr(begin, end - begin)));
    begin = end + 1;
  }
  check(std::ssize(weights) == classes, kWhere, "expected none, balanced or ", classes,
        " numbers, one for each class, got ", weights.size());
  return weights;
}

}  // namespace orthant
