#pragma once

#include <cstdint>
#include <span>

#include "orthant/core/sparse_matrix.h"
#include "orthant/factorize/target.h"

// Co-occurrence matrices from outside, such as the edges of a graph: P(x, x') up to a constant.

namespace orthant::factorize {

// The symmetric matrix A [nodes, nodes] of pairs that were seen together: pair e adds weights[e] to A at
// (from[e], to[e]) and at its mirror image, and only once on the diagonal (a node with itself). Repeated pairs add up,
// in the order given, so that A is symmetric to the last bit. std::invalid_argument if the spans differ in length, a
// node is not in [0, nodes), or a weight is negative or not finite.
SparseMatrix64 cooccurrence(int64_t nodes, std::span<const int32_t> from, std::span<const int32_t> to,
                            std::span<const double> weights);

// D_r^-1/2 A D_c^-1/2 with D_r, D_c the sums of A's rows and columns: the normalised co-occurrence matrix that
// contrastive learning factorises (paper, sections 1 and 2.6), whose largest singular value is 1. Empty rows and
// columns stay empty. A symmetric target stays symmetric. std::invalid_argument if an entry is negative or not finite.
Target normalized(const Target& target);

}  // namespace orthant::factorize
