#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orthant/data/dataset.h"
#include "orthant/run/supervised_recipe.h"

namespace orthant {

// What a classifier learns from and is tested on: the items with a label.
struct SupervisedData {
  DatasetPtr train;
  DatasetPtr test;
};

// Other data to test on, as a person calls it.
struct NamedTestData {
  std::string name;  // KIND[:PATH]
  DatasetPtr data;
};

// Opens both. std::invalid_argument if there are no labels, fewer than two classes to learn, or nothing to test on, and
// if train and test do not have the same classes.
SupervisedData open_supervised_data(const SupervisedRecipe& recipe);

// The held-out items under a corruption, NAME:SEVERITY as orthant/corrupt names it.
DatasetPtr open_corrupted(const SupervisedRecipe& recipe, const std::string& corruption);

// The data sets that train.test_data names: of each the split that unseen_split() says, items with a label, as many as
// train.test_size. Their classes, told by name, are numbered as in `train`, and may be fewer; std::invalid_argument
// naming both data sets for a class that is not there.
std::vector<NamedTestData> open_test_data(const SupervisedRecipe& recipe, const DatasetInfo& train);

// What the repetition with this seed learns from: the share train.label_fraction of the items, equally many of each
// class (at least one), of whose labels the share train.label_noise is wrong.
DatasetPtr training_items(const SupervisedRecipe& recipe, const DatasetPtr& train, uint64_t seed);

}  // namespace orthant
