#pragma once

#include <string>
#include <vector>

#include "orthant/data/dataset.h"

namespace orthant {

// What a person should be told who opened a data set and works with less, or with something else, than they may think:
// files that were left out, a split that was made here, fewer items than were asked for. A line each, no full stop;
// nothing if all is as it seems.
std::vector<std::string> notes(const DatasetInfo& info);

}  // namespace orthant
