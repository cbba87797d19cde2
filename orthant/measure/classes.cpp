#include "orthant/measure/classes.h"

#include <algorithm>

#include "orthant/core/error.h"

namespace orthant::measure {

Classes index_classes(std::span<const int64_t> labels, int64_t rows, const std::string& where) {
  check(static_cast<int64_t>(labels.size()) == rows, "[", where, "] expected a label for each of the ", rows,
        " rows, got ", labels.size());
  Classes classes;
  for (size_t i = 0; i < labels.size(); ++i) {
    check(labels[i] >= -1, "[", where, "] expected labels from 0 on, or -1 for unknown, got ", labels[i], " in row ",
          i);
    classes.labelled += labels[i] >= 0;
  }
  classes.numbers.assign(labels.begin(), labels.end());
  std::ranges::sort(classes.numbers);
  classes.numbers.erase(std::unique(classes.numbers.begin(), classes.numbers.end()), classes.numbers.end());
  if (!classes.numbers.empty() && classes.numbers.front() < 0) classes.numbers.erase(classes.numbers.begin());
  check(classes.count() <= INT32_MAX, "[", where, "] expected fewer than 2^31 classes, got ", classes.count());
  classes.of_row.reserve(labels.size());
  for (const int64_t label : labels) {
    const auto found = std::ranges::lower_bound(classes.numbers, label);
    classes.of_row.push_back(label < 0 ? -1 : static_cast<int32_t>(found - classes.numbers.begin()));
  }
  return classes;
}

}  // namespace orthant::measure
