#include "orthant/labels/labelled_items.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "orthant/core/error.h"
#include "orthant/data/balanced_subset.h"
#include "orthant/data/label_noise.h"

namespace orthant {

std::vector<int64_t> labels_of(const Dataset& data) {
  std::vector<int64_t> labels;
  for (int64_t i = 0; i < data.size(); ++i) labels.push_back(data.label(i));
  return labels;
}

void check_labelled(const Dataset& data, const std::string& source) {
  const std::string& split = data.info().split;
  check(!data.info().class_names.empty(), "[", source, "] expected labels in the split ", split, ", got none");
  const auto missing = std::ranges::count_if(labels_of(data), [](int64_t label) { return label < 0; });
  check(missing < data.size(), "[", source, "] expected labels in the split ", split, ", got none");
  check(missing == 0, "[", source, "] expected a label for each of the ", data.size(), " items of the split ", split,
        ", got ", missing, " without");
}

void check_learnable(const Dataset& data, const std::string& source) {
  check_labelled(data, source);
  const std::vector<std::string>& names = data.info().class_names;
  std::vector<bool> seen(names.size());
  for (const int64_t label : labels_of(data)) seen[static_cast<size_t>(label)] = true;
  const auto classes = std::ranges::count(seen, true);
  check(classes >= 2, "[", source, "] expected at least two classes to tell apart, got one");
  const auto first = static_cast<size_t>(std::ranges::find(seen, false) - seen.begin());
  check(first == names.size(), "[", source, "] expected items of each of the ", names.size(), " classes in the split ",
        data.info().split, ", got none of ", first < names.size() ? names[first] : "",
        names.size() - static_cast<size_t>(classes) > 1
            ? join(" and ", names.size() - static_cast<size_t>(classes) - 1, " more")
            : "");
}

DatasetPtr labelled_share(DatasetPtr items, double fraction, double noise, uint64_t seed) {
  if (fraction < 1) {
    const auto classes = static_cast<double>(items->info().class_names.size());
    const double share = fraction * static_cast<double>(items->size()) / classes;
    items = balanced_subset(std::move(items), std::max<int64_t>(1, std::llround(share)), seed);
  }
  return noise > 0 ? label_noise(std::move(items), noise, seed) : items;
}

}  // namespace orthant
