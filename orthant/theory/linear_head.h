#pragma once

#include <vector>

#include "orthant/core/matrix.h"

namespace orthant::theory {

// The linear head that fits label probabilities P(y|x) [N, L] best from features [N, k], in least squares over P(x);
// returns its scores [N, L]. Features may be linearly dependent.
Matrix64 linear_head_scores(const Matrix64& features, const Matrix64& label_posterior,
                            const std::vector<double>& marginal);

// The probability of a wrong label when the label of the highest score [N, L] is named (the first of equals) and
// samples and labels follow P(x) and P(y|x) [N, L].
double decision_error(const Matrix64& scores, const Matrix64& label_posterior, const std::vector<double>& marginal);

}  // namespace orthant::theory
