#pragma once

#include <cstdint>
#include <span>

#include "orthant/core/matrix.h"

namespace orthant {

// Share of queries [Q, D] whose class is the one that most of their k nearest rows of the bank [N, D] have, nearest by
// cosine; equal votes are decided by the larger sum of cosines. Unknown classes (-1) neither vote nor count. k is
// lowered to the bank's size. Memory: a block of 512 queries by the bank. std::invalid_argument if sizes do not fit.
double knn_accuracy(const Matrix& bank, std::span<const int64_t> bank_labels, const Matrix& queries,
                    std::span<const int64_t> query_labels, int64_t k);

}  // namespace orthant
