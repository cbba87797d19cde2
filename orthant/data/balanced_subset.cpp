#include "orthant/data/balanced_subset.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/data/selection.h"
#include "orthant/data/subset.h"

namespace orthant {

DatasetPtr balanced_subset(DatasetPtr dataset, int64_t per_class, uint64_t seed) {
  const DatasetInfo& info = dataset->info();
  check(!info.class_names.empty(), "[balanced subset of ", info.name, "] expected classes, got none");
  check(per_class >= 0, "[balanced subset of ", info.name, "] expected 0 or more items per class, got ", per_class);
  std::vector<std::vector<int64_t>> members(info.class_names.size());
  for (int64_t i = 0; i < dataset->size(); ++i) {
    const int64_t label = dataset->label(i);
    if (label >= 0) members[static_cast<size_t>(label)].push_back(i);
  }
  std::vector<int64_t> chosen;
  for (size_t label = 0; label < members.size(); ++label) {
    const auto available = static_cast<int64_t>(members[label].size());
    check(per_class <= available, "[balanced subset of ", info.name, "] expected at least ", per_class, " items of ",
          info.class_names[label], ", got ", available);
    Rng rng({.seed = seed, .sample = label, .view = 0xff12});
    for (const int64_t k : choose(available, per_class, rng)) chosen.push_back(members[label][static_cast<size_t>(k)]);
  }
  std::ranges::sort(chosen);
  return std::make_shared<Selection>(std::move(dataset), std::move(chosen));
}

}  // namespace orthant
