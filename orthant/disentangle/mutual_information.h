#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orthant/core/embeddings.h"
#include "orthant/core/features.h"

namespace orthant::disentangle {

struct InformationOptions {
  int64_t bins = 20;  // of equal width between a code's least and largest value
  int threads = 0;
};

// What each of D codes tells of each of K factors, in nats, from plug-in estimates on histograms.
struct InformationTable {
  Matrix64 information;         // [D, K] I(z_i; v_j); exactly 0 for a constant code or factor, never negative
  Matrix64 joint_entropy;       // [D, K] H(z_i, v_j)
  std::vector<double> entropy;  // [K] H(v_j); 0 for a constant factor
};

// From codes [N, D] and K factors of N items. A value x of a code lies in bin b of equal width if edge b <= x < edge
// b + 1, the largest value in the last bin. Throws std::invalid_argument for factors that do not fit, fewer than 2
// bins, NaN or infinity.
InformationTable mutual_information(const Features& codes, std::span<const Factor> factors,
                                    const InformationOptions& options = {});

}  // namespace orthant::disentangle
