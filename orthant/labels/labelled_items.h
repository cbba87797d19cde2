#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orthant/data/dataset.h"

namespace orthant {

// The label of every item, in order.
std::vector<int64_t> labels_of(const Dataset& data);

// std::invalid_argument that begins with [source] unless every item has a label.
void check_labelled(const Dataset& data, const std::string& source);

// The same, and there are two classes or more, each with an item.
void check_learnable(const Dataset& data, const std::string& source);

// What is learned from: the share `fraction` of the items, equally many of each class (at least one), of whose labels
// the share `noise` is wrong. The same seed gives the same items and labels. std::invalid_argument as balanced_subset()
// and label_noise().
DatasetPtr labelled_share(DatasetPtr items, double fraction, double noise, uint64_t seed);

}  // namespace orthant
