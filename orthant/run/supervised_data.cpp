#include "orthant/run/supervised_data.h"

#include <algorithm>
#include <set>
#include <utility>

#include "orthant/core/error.h"
#include "orthant/data/class_match.h"
#include "orthant/data/subset.h"
#include "orthant/labels/labelled_items.h"
#include "orthant/sources/open.h"

namespace orthant {
namespace {

DatasetPtr only_labelled(const DatasetPtr& data, const std::string& source) {
  std::vector<int64_t> known;
  for (int64_t i = 0; i < data->size(); ++i) {
    if (data->label(i) >= 0) known.push_back(i);
  }
  check(!known.empty(), "[", source, "] expected labels in the split ", data->info().split, ", got none");
  if (static_cast<int64_t>(known.size()) == data->size()) return data;
  return subset(data, std::move(known));
}

DatasetPtr open_labelled(const SupervisedRecipe& recipe, const std::string& source, DataOptions options) {
  options.strict = recipe.data.strict;
  options.threads = static_cast<int>(recipe.train.threads);
  return only_labelled(open_dataset(source, options), source);
}

DatasetPtr open_split(const SupervisedRecipe& recipe, const DataOptions& options) {
  return open_labelled(recipe, recipe.data.source, options);
}

// Without the spaces around them; nothing is no name.
std::vector<std::string> names_between_semicolons(const std::string& text) {
  std::vector<std::string> names;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(';', begin), text.size());
    const size_t first = std::min(text.find_first_not_of(' ', begin), end);
    if (first < end) names.push_back(text.substr(first, text.find_last_not_of(' ', end - 1) + 1 - first));
    begin = end + 1;
  }
  return names;
}

}  // namespace

SupervisedData open_supervised_data(const SupervisedRecipe& recipe) {
  const std::string& source = recipe.data.source;
  SupervisedData data;
  data.train = open_split(recipe, {.split = recipe.data.split, .size = recipe.data.train_size});
  data.test = open_split(recipe, {.split = recipe.data.eval_split, .size = recipe.train.test_size});
  check(data.train->info().class_names == data.test->info().class_names, "[", source,
        "] expected the same classes in the splits ", recipe.data.split, " and ", recipe.data.eval_split,
        ", got others");
  const auto labels = labels_of(*data.train);
  check(std::set(labels.begin(), labels.end()).size() >= 2, "[", source,
        "] expected at least two classes to tell apart, got one");
  return data;
}

DatasetPtr open_corrupted(const SupervisedRecipe& recipe, const std::string& corruption) {
  return open_split(recipe, {.split = recipe.data.eval_split, .size = recipe.train.test_size, .corrupt = corruption});
}

std::vector<NamedTestData> open_test_data(const SupervisedRecipe& recipe, const DatasetInfo& train) {
  std::vector<NamedTestData> sets;
  for (const std::string& source : names_between_semicolons(recipe.train.test_data)) {
    const std::string split = unseen_split(
        source, recipe.data.source, {.strict = recipe.data.strict, .threads = static_cast<int>(recipe.train.threads)});
    DatasetPtr data = open_labelled(recipe, source, {.split = split, .size = recipe.train.test_size});
    sets.push_back({source, with_classes(std::move(data), {recipe.data.source, train.class_names})});
  }
  return sets;
}

DatasetPtr training_items(const SupervisedRecipe& recipe, const DatasetPtr& train, uint64_t seed) {
  return labelled_share(train, recipe.train.label_fraction, recipe.train.label_noise, seed);
}

}  // namespace orthant
