#pragma once

#include "orthant/core/features.h"
#include "orthant/core/matrix.h"

namespace orthant::layout {

struct PcaOptions {
  int threads = 0;  // 0: what the machine offers
};

// Where to draw N items with features [N, D], dense or sparse: the first two principal components of the rows, scaled
// to unit length (a zero row stays zero) and centred, as [N, 2] in the frame of frame.h: within [-1, 1], one scale for
// both axes. A component's sign makes its largest loading by size positive. A component whose variance is below 1e-12
// of the rows' mean square is rounding, and drawn as 0: so are no rows, one row, equal rows and features of rank one.
//
// Up to 1,024 features the components are exact to double precision, from the covariance; beyond, they come from
// subspace iteration, which may mix components with nearly equal variances. A sparse matrix is never made dense. The
// result is the same for any number of threads. Work: N D^2 (sparse: N nnz^2) up to 1,024 features, 200 N D beyond.
//
// std::invalid_argument if an entry is NaN or infinite.
Matrix pca_layout(const Features& features, const PcaOptions& options = {});

}  // namespace orthant::layout
