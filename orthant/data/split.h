#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "orthant/data/dataset.h"

namespace orthant {

struct SplitDatasets {
  DatasetPtr first;
  DatasetPtr second;
};

// Parts a data set at random into round(fraction * size) items and the rest, both in their old order. The same seed
// gives the same parts. std::invalid_argument unless 0 <= fraction <= 1.
SplitDatasets split(DatasetPtr dataset, double fraction, uint64_t seed);

// The split of a data set that was published without one: "all" is everything, "test" a tenth of it, at least one
// item, and "train" the rest. Each class gives a tenth of its items, rounded up or down so that the sum is right; items
// without a class count as one more. Which items go where depends on nothing but their number and their classes, so
// that a model is never tested on what another command or seed trained it on. info() says that the split was made here
// and how many items each has. std::invalid_argument for another name, or for the "test" of a single item.
DatasetPtr standard_split(DatasetPtr dataset, const std::string& split);

// The items that standard_split() takes, rising. Throws as it does.
std::vector<int64_t> standard_split_items(const Dataset& dataset, const std::string& split);
// The same of items with these labels, -1 for none; `name` is for messages.
std::vector<int64_t> standard_split_items(std::span<const int64_t> labels, const std::string& split,
                                          const std::string& name);

// Throws std::invalid_argument naming `where` unless `split` is train, test or all.
void check_split(const std::string& split, const std::string& where);

}  // namespace orthant
