#include "orthant/data/subset.h"

#include <utility>

#include "orthant/core/error.h"
#include "orthant/data/selection.h"

namespace orthant {

std::vector<int64_t> choose(int64_t total, int64_t count, Rng& rng) {
  check(count >= 0 && count <= total, "[choose] expected 0 to ", total, " items, got ", count);
  std::vector<int64_t> chosen;
  chosen.reserve(static_cast<size_t>(count));
  // Selection sampling (Knuth, The Art of Computer Programming, 3.4.2, algorithm S).
  for (int64_t i = 0; count > 0; ++i) {
    if (static_cast<int64_t>(rng.below(static_cast<uint64_t>(total - i))) >= count) continue;
    chosen.push_back(i);
    --count;
  }
  return chosen;
}

DatasetPtr subset(DatasetPtr dataset, std::vector<int64_t> indices) {
  return std::make_shared<Selection>(std::move(dataset), std::move(indices));
}

DatasetPtr subset(DatasetPtr dataset, int64_t count, uint64_t seed) {
  check(count >= 0 && count <= dataset->size(), "[subset of ", dataset->info().name, "] expected 0 to ",
        dataset->size(), " items, got ", count);
  Rng rng({.seed = seed, .view = 0xff11});
  std::vector<int64_t> chosen = choose(dataset->size(), count, rng);
  return std::make_shared<Selection>(std::move(dataset), std::move(chosen));
}

}  // namespace orthant
