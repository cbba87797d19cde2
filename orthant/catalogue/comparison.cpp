#include "orthant/catalogue/comparison.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "orthant/measure/stability.h"

namespace orthant::catalogue {
namespace {

double product(const std::vector<float>& x, const std::vector<float>& y) {
  return std::inner_product(x.begin(), x.end(), y.begin(), 0.0, std::plus(), [](double p, double q) { return p * q; });
}

}  // namespace

Comparison compare(const Catalogue& a, const Catalogue& b, int threads) {
  const measure::Stability matched = measure::stability(a.matrix(), b.matrix(), {.threads = threads});
  Comparison result{.mean = matched.mean, .live_a = matched.live_first, .live_b = matched.live_second};
  double sum = 0;
  for (size_t f = 0; f < matched.partner.size(); ++f) {
    if (matched.partner[f] < 0) continue;
    const auto own = static_cast<int64_t>(f);
    sum += matched.similarity[f];
    const bool opposite = product(a.activations(own), b.activations(matched.partner[f])) < 0;
    result.pairs.push_back({own, matched.partner[f], opposite ? -matched.similarity[f] : matched.similarity[f]});
  }
  if (!result.pairs.empty()) result.mean_of_pairs = sum / static_cast<double>(result.pairs.size());
  std::ranges::stable_sort(result.pairs, std::ranges::greater(),
                           [](const FeaturePair& pair) { return std::abs(pair.cosine); });
  return result;
}

}  // namespace orthant::catalogue
