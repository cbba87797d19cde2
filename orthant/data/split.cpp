#include "orthant/data/split.h"

#include <algorithm>
#include <cmath>
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

DatasetPtr standard_split(DatasetPtr dataset, const std::string& split) {
  const std::string& name = dataset->info().name;
  check_split(split, name);
  if (split == "all") return dataset;
  const int64_t size = dataset->size();
  check(size > 1 || split == "train", "[", name, "] expected at least 2 items to set some apart for the test, got ",
        size, "; the split all has them all");
  const int64_t test_size = size > 1 ? std::max<int64_t>(1, (size + 5) / 10) : 0;
  Rng rng({.view = 0xff14});
  std::vector<int64_t> chosen = choose(size, test_size, rng);
  if (split == "train") chosen = others(size, chosen);
  return std::make_shared<Selection>(std::move(dataset), std::move(chosen), split);
}

void check_split(const std::string& split, const std::string& where) {
  check(split == "train" || split == "test" || split == "all", "[", where, "] expected the split train, test or all, ",
        "got ", split.empty() ? "none" : split);
}

}  // namespace orthant
