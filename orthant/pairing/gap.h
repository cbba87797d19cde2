#pragma once

#include <cstdint>
#include <span>

#include "orthant/core/features.h"

namespace orthant::pairing {

// How far apart two towers put what belongs together, on rows of unit length (one of zeros stays as it is). A mean over
// no pairs is NaN.
struct ModalityGap {
  double distance = 0;   // Euclidean, between the mean of a and the mean of b: 0 to 2
  double matched = 0;    // mean cosine of a row of b with its item
  double unmatched = 0;  // mean cosine of a row of b with another item
  double within_a = 0;   // mean cosine of two different items
  double within_b = 0;   // mean cosine of two different rows of b, be they of one item or not
};

// Exact means over all pairs, from sums in double: (N + M) K operations. std::invalid_argument as rank_pairs().
ModalityGap modality_gap(const Features& a, const Features& b, std::span<const int64_t> owner);

}  // namespace orthant::pairing
