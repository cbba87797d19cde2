#include "orthant/catalogue/comparison.h"

#include <algorithm>

#include "orthant/measure/stability.h"

namespace orthant::catalogue {

Comparison compare(const Catalogue& a, const Catalogue& b, int threads) {
  const measure::Stability matched = measure::stability(a.matrix(), b.matrix(), {.threads = threads});
  Comparison result;
  result.mean = matched.mean;
  for (size_t f = 0; f < matched.partner.size(); ++f) {
    if (matched.partner[f] < 0) continue;
    result.pairs.push_back({static_cast<int64_t>(f), matched.partner[f], matched.similarity[f]});
  }
  std::ranges::stable_sort(result.pairs, std::ranges::greater(), &FeaturePair::similarity);
  return result;
}

}  // namespace orthant::catalogue
