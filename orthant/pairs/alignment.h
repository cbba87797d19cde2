#pragma once

#include <cstdint>
#include <vector>

#include "orthant/data/dataset.h"

namespace orthant {

// For each item of `a` the place of the item of `b` that belongs with it. Items belong together by their ids if both
// data sets name their items, or if one of them holds texts whose ids were given; otherwise by their place. Texts name
// their items if their ids were given, others unless every id is the number of its place.
//
// IoError if the counts differ (both are named), or if an id of one is not in the other: the first of them and how many
// there are.
std::vector<int64_t> alignment(const Dataset& a, const Dataset& b);

}  // namespace orthant
