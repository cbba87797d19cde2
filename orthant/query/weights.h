#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "orthant/query/vocabulary.h"

namespace orthant::query {

struct Weight {
  int64_t feature;
  float weight;

  bool operator==(const Weight&) const = default;
};

// Features and how much each should count: [-]FEATURE[":"NUMBER] {"," ...}, such as wheel:1, -fur:0.5, f12:0.8. Without
// a number it is 1; a minus in front turns the sign. By rising feature. std::invalid_argument that says what was
// expected where, also for a feature that comes twice.
std::vector<Weight> parse_weights(std::string_view text, const Vocabulary& words);

}  // namespace orthant::query
