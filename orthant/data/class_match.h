#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orthant/data/dataset.h"

namespace orthant {

// Classes by name, and whose they are.
struct NamedClasses {
  std::string of;  // for messages
  std::vector<std::string> names;
};

// The number that each class of `own` has among the classes that are `known`. std::invalid_argument naming both sets
// and the first class that is not known, or if either has no classes.
std::vector<int64_t> match_classes(const NamedClasses& own, const NamedClasses& known);

// The same items with their classes numbered and named as in `known`; items without a class have none. Throws as
// match_classes().
DatasetPtr with_classes(DatasetPtr data, const NamedClasses& known);

}  // namespace orthant
