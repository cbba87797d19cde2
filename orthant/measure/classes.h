#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace orthant::measure {

// Labels renumbered 0 to C - 1 in rising order of what they were, so that tables by class are as small as can be.
struct Classes {
  std::vector<int32_t> of_row;   // [N]; -1: unknown
  std::vector<int64_t> numbers;  // [C]: the label that each class had
  int64_t labelled = 0;          // rows with a known label

  int64_t count() const { return static_cast<int64_t>(numbers.size()); }
};

// `labels` must hold `rows` entries from -1 (unknown) on; std::invalid_argument that begins with [where] otherwise.
Classes index_classes(std::span<const int64_t> labels, int64_t rows, const std::string& where);

}  // namespace orthant::measure
