#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orthant/core/features.h"

namespace orthant::measure {

struct CorrelationOptions {
  double threshold = 1e-5;  // a feature is live if any |x| > threshold; above 0
  bool keep_matrix = false;
  int threads = 0;  // 0: what the machine offers
};

// How alike features are: C_ij = z_i . z_j / (|z_i| |z_j|), the cosine between columns i and j of features taken as
// they are (section 5.3). Dead features have no direction and are left out.
struct Correlation {
  std::vector<int64_t> live;  // the L features compared
  double mean = 0;            // of |C_ij| over the L (L - 1) / 2 pairs i < j; 0 if there are none, likewise below
  double median = 0;          // of the same, exact: with an even number of pairs, the mean of the two in the middle
  Matrix64 matrix;            // C [L, L] if it was asked for, otherwise empty
};

// Memory: D^2, twice if the matrix is kept; never N D. The result does not depend on the number of threads.
// std::invalid_argument if N or D is zero or the threshold is not above 0.
Correlation correlation(const Features& features, const CorrelationOptions& options = {});

// Cosines [L, L] between the columns `kept` of which `gram` [D, D] holds the inner products; ones on the diagonal, 0
// where a column is zero.
Matrix64 cosines(const Matrix64& gram, std::span<const int64_t> kept);

// The median; it reorders the values. 0 for none.
double median(std::span<double> values);

}  // namespace orthant::measure
