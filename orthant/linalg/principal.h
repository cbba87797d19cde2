#pragma once

#include <vector>

#include "orthant/core/features.h"
#include "orthant/core/matrix.h"

namespace orthant::linalg {

// The two directions in which rows of unit length vary most.
struct PrincipalComponents {
  std::vector<double> mean;       // [D] of the rows scaled to unit length; a zero row counts as it is
  Matrix64 axes;                  // [2, D] orthonormal; the largest loading by size, the first of equals, is positive
  std::vector<double> variances;  // [2] falling; 0, with an axis of zeros, for what is only rounding
};

// Components of features [N, D] as pca_layout (pca.h) describes them. N and D may be 0.
PrincipalComponents principal_components(const Features& features, int threads);

// The rows scaled to unit length and centred, along the axes: [N, 2]. Same bits for any number of threads.
Matrix64 scores(const PrincipalComponents& components, const Features& features, int threads);

}  // namespace orthant::linalg
