#include "orthant/pairing/gap.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/pairing/cosines.h"
#include "orthant/pairing/owners.h"

namespace orthant::pairing {
namespace {

// Sums over rows of unit length.
struct UnitSums {
  std::vector<double> sum;  // [K]
  double rows = 0;
  double live = 0;  // rows that are not zero: the sum of their squared lengths
};

UnitSums unit_sums(const Features& features) {
  UnitSums sums{std::vector<double>(static_cast<size_t>(features.cols())), static_cast<double>(features.rows()), 0};
  for (int64_t i = 0; i < features.rows(); ++i) {
    const double norm = features.row_norm(i);
    if (norm == 0) continue;
    features.visit_row(i,
                       [&](int64_t k, float x) { sums.sum[static_cast<size_t>(k)] += static_cast<double>(x) / norm; });
    sums.live += 1;
  }
  return sums;
}

double mean(double sum, double count) { return count > 0 ? sum / count : std::numeric_limits<double>::quiet_NaN(); }

double product(const UnitSums& a, const UnitSums& b) {
  return std::inner_product(a.sum.begin(), a.sum.end(), b.sum.begin(), 0.0);
}

// The square of a sum is that of its terms and twice every pair.
double within(const UnitSums& sums) { return mean(product(sums, sums) - sums.live, sums.rows * (sums.rows - 1)); }

}  // namespace

ModalityGap modality_gap(const Features& a, const Features& b, std::span<const int64_t> owner) {
  check_owners(a.rows(), b.rows(), owner);
  check(a.cols() == b.cols(), "[pairs] expected as many features on both sides, got ", a.cols(), " and ", b.cols());
  const UnitSums first = unit_sums(a);
  const UnitSums second = unit_sums(b);
  const std::vector<double> cosines = matched_cosines(a, b, owner);
  const double matched = std::accumulate(cosines.begin(), cosines.end(), 0.0);
  double square = 0;
  for (size_t k = 0; k < first.sum.size(); ++k) {
    square += std::pow(first.sum[k] / first.rows - second.sum[k] / second.rows, 2);
  }
  return {.distance = std::sqrt(square),
          .matched = mean(matched, second.rows),
          .unmatched = mean(product(first, second) - matched, second.rows * (first.rows - 1)),
          .within_a = within(first),
          .within_b = within(second)};
}

}  // namespace orthant::pairing
