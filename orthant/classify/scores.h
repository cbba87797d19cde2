#pragma once

#include <cstdint>
#include <vector>

#include "orthant/classify/classifier.h"

namespace orthant::classify {

// The scores [N, C] of rows [N, K], dense or sparse with the same result, summed in double. Memory: the result and the
// weights once more. Rows are spread over threads (0: what the machine offers), which changes nothing.
// std::invalid_argument as Classifier::check_fits() says.
Matrix scores(const Classifier& classifier, const Features& rows, int threads = 0);

// The class with the largest score for each row of scores [N, C], the first of equal ones.
std::vector<int64_t> predictions(const Matrix& scores);

}  // namespace orthant::classify
