#include "orthant/data/split.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/data/selection.h"
#include "orthant/data/subset.h"

namespace orthant {
namespace {

std::vector<int64_t> others(int64_t total, const std::vector<int64_t>& rising) {
  std::vector<int64_t> rest;
  rest.reserve(static_cast<size_t>(total) - rising.size());
  auto taken = rising.begin();
  for (int64_t i = 0; i < total; ++i) {
    if (taken != rising.end() && *taken == i) {
      ++taken;
    } else {
      rest.push_back(i);
    }
  }
  return rest;
}

// A tenth of the items, of each class as nearly as whole numbers allow, but at least one of two or more.
std::vector<int64_t> tenth_of_each_class(std::span<const int64_t> labels) {
  std::map<int64_t, std::vector<int64_t>> items_of;
  for (size_t i = 0; i < labels.size(); ++i) items_of[labels[i]].push_back(static_cast<int64_t>(i));
  Rng rng({.view = 0xff14});
  std::vector<int64_t> chosen;
  int64_t seen = 0;
  // What rounding takes from one class it gives to the next, so that the sum is right.
  for (const auto& [label, items] : items_of) {
    const auto count = static_cast<int64_t>(items.size());
    seen += count;
    const int64_t wanted = (seen + 5) / 10 - static_cast<int64_t>(chosen.size());
    for (const int64_t k : choose(count, wanted, rng)) chosen.push_back(items[static_cast<size_t>(k)]);
  }
  if (chosen.empty() && seen > 1) chosen = choose(seen, 1, rng);
  std::ranges::sort(chosen);
  return chosen;
}

}  // namespace

SplitDatasets split(DatasetPtr dataset, double fraction, uint64_t seed) {
  check(fraction >= 0 && fraction <= 1, "[split] expected a fraction from 0 to 1, got ", fraction);
  const int64_t size = dataset->size();
  Rng rng({.seed = seed, .view = 0xff13});
  std::vector<int64_t> first = choose(size, std::llround(fraction * static_cast<double>(size)), rng);
  std::vector<int64_t> second = others(size, first);
  return {.first = std::make_shared<Selection>(dataset, std::move(first)),
          .second = std::make_shared<Selection>(dataset, std::move(second))};
}

std::vector<int64_t> standard_split_items(const Dataset& dataset, const std::string& split) {
  std::vector<int64_t> labels(static_cast<size_t>(dataset.size()));
  for (size_t i = 0; i < labels.size(); ++i) labels[i] = dataset.label(static_cast<int64_t>(i));
  return standard_split_items(labels, split, dataset.info().name);
}

std::vector<int64_t> standard_split_items(std::span<const int64_t> labels, const std::string& split,
                                          const std::string& name) {
  check_split(split, name);
  const int64_t size = std::ssize(labels);
  check(size > 1 || split != "test", "[", name, "] expected at least 2 items to set some apart for the test, got ",
        size, "; the split all has them all");
  const std::vector<int64_t> test = tenth_of_each_class(labels);
  return split == "test" ? test : others(size, split == "all" ? std::vector<int64_t>() : test);
}

DatasetPtr standard_split(DatasetPtr dataset, const std::string& split) {
  std::vector<int64_t> items = standard_split_items(*dataset, split);
  const int64_t size = dataset->size();
  const int64_t test_size = size > 1 ? std::max<int64_t>(1, (size + 5) / 10) : 0;
  DatasetInfo info = dataset->info();
  info.split = split;
  info.splits = {{"train", size - test_size}, {"test", test_size}, {"all", size}};
  info.split_made_here = true;
  return std::make_shared<Selection>(std::move(dataset), std::move(items), std::move(info));
}

void check_split(const std::string& split, const std::string& where) {
  check(split == "train" || split == "test" || split == "all", "[", where, "] expected the split train, test or all, ",
        "got ", split.empty() ? "none" : split);
}

}  // namespace orthant
