#pragma once

#include "learn/group/group.h"
#include "orthant/data/dataset.h"
#include "orthant/run/recipe.h"

namespace orthant {

// std::invalid_argument, on every rank, if a rank has another version of Orthant, another recipe (but for what does not
// change the course of training, and for paths, which may differ between machines) or other data than rank 0; it names
// the rank and what differs. Data are told apart by their kind, size and classes, and by the names, labels and vectors
// of a thousand items.
void check_agreement(const Group& group, const Recipe& recipe, const Dataset& data);

}  // namespace orthant
