#pragma once

#include "orthant/core/features.h"

namespace orthant::measure {

struct EffectiveRankOptions {
  int threads = 0;  // 0: what the machine offers
};

// Entropy -sum s log(s + 1e-6) of the shares s of the singular values of features [N, D] whose rows are scaled to unit
// length, in nats: 0 for rank one, log D for columns that are orthogonal and equally long. Not exponentiated, as the
// paper's training log has it (section 5.4). 0 if all features are zero. Taken from the eigenvalues of the D x D
// inner products in float64, so that a singular value counts as zero below about 1e-8 of the largest. Memory: D^2.
// std::invalid_argument if N or D is zero.
double effective_rank(const Features& features, const EffectiveRankOptions& options = {});

// The same from the inner products of the columns, which are overwritten.
double effective_rank_of(Matrix64& gram);

}  // namespace orthant::measure
