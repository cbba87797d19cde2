#include "orthant/data/label_noise.h"

#include <cmath>
#include <utility>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/data/relabelled.h"
#include "orthant/data/subset.h"

namespace orthant {

DatasetPtr label_noise(DatasetPtr dataset, double fraction, uint64_t seed) {
  const auto classes = static_cast<uint64_t>(dataset->info().class_names.size());
  check(fraction >= 0 && fraction <= 1, "[label noise] expected a fraction from 0 to 1, got ", fraction);
  check(classes >= 2, "[label noise] expected at least two classes, got ", classes);

  std::vector<int64_t> labels(static_cast<size_t>(dataset->size()));
  std::vector<size_t> labelled;
  for (size_t i = 0; i < labels.size(); ++i) {
    labels[i] = dataset->label(static_cast<int64_t>(i));
    if (labels[i] >= 0) labelled.push_back(i);
  }
  Rng rng({.seed = seed, .view = 0xff15});
  const auto total = static_cast<int64_t>(labelled.size());
  for (const int64_t k : choose(total, std::llround(fraction * static_cast<double>(total)), rng)) {
    int64_t& label = labels[labelled[static_cast<size_t>(k)]];
    label = static_cast<int64_t>((static_cast<uint64_t>(label) + 1 + rng.below(classes - 1)) % classes);
  }
  DatasetInfo info = dataset->info();
  return std::make_shared<Relabelled>(std::move(dataset), std::move(labels), std::move(info));
}

}  // namespace orthant
