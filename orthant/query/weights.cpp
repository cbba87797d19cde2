#include "orthant/query/weights.h"

#include <algorithm>

#include "orthant/core/error.h"
#include "orthant/query/scanner.h"

namespace orthant::query {

std::vector<Weight> parse_weights(std::string_view text, const Vocabulary& words) {
  Scanner scanner(text, "features");
  std::vector<Weight> weights;
  do {
    const bool negative = scanner.take("-");
    const Word name = scanner.word("a feature");
    const int64_t feature = words.feature(name.text, scanner.where());
    const float weight = scanner.take(":") ? scanner.number("a number") : 1.0F;
    check(std::ranges::find(weights, feature, &Weight::feature) == weights.end(),
          "[features] expected each feature once, got '", name.text, "' again");
    weights.push_back({feature, negative ? -weight : weight});
  } while (scanner.take(","));
  if (!scanner.at_end()) scanner.fail_here("',' or the end");
  std::ranges::sort(weights, {}, &Weight::feature);
  return weights;
}

}  // namespace orthant::query
