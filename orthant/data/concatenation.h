#pragma once

#include <vector>

#include "orthant/data/dataset.h"

namespace orthant {

// The items of several data sets one after the other, as the split "all". The parts must agree in classes, factors and
// sizes, else std::invalid_argument; ids are prefixed with the split of the part: "train/17".
DatasetPtr concatenate(std::vector<DatasetPtr> parts);

}  // namespace orthant
