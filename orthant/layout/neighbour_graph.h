#pragma once

#include <cstdint>

#include "orthant/core/features.h"
#include "orthant/core/sparse_matrix.h"
#include "orthant/search/neighbours.h"

namespace orthant::layout {

// Who is whose neighbour, and how surely: a symmetric matrix [N, N] of weights in (0, 1], none on the diagonal.
//
// From item i, neighbour j at distance d = 1 - cosine weighs exp(-max(0, d - rho_i) / sigma_i), where rho_i is the
// smallest distance above zero and sigma_i, at least a thousandth of the mean distance, makes the k weights add up to
// log2(k), but at least 1: crowded and lonely items reach equally far (McInnes, Healy and Melville, 2018, section 3.1).
// Where more neighbours than that are equal to the item, or all equally far, they share log2(k). The weights of the two
// directions are united as chances: p + q - p q.
//
// Items without any feature (zero rows) have no angle: they pull at the next k of their kind in a ring, with equal
// weights, and at nobody else. `neighbours` is the cosine search of all rows among all, the row itself excluded, of
// which the first k are taken. The result is the same for any number of threads.
//
// std::invalid_argument if the neighbours are not as said, do not fit the features or are fewer than min(k, N - 1).
SparseMatrix neighbour_graph(const Features& features, const search::Neighbours& neighbours, int64_t k, int threads);

}  // namespace orthant::layout
