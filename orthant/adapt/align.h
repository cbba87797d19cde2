#pragma once

#include "orthant/adapt/adapter.h"
#include "orthant/adapt/material.h"

namespace orthant::adapt {

// Two kinds of vectors that no model made alike are brought into one space by a linear map of the second to the first,
// before both are encoded:
//
//   M = argmin sum over rows |M (n(v_b) - mean_b) - x_a|^2 + lambda |M|^2
//
// over rows that are learned from (at most 20,000, at random), with the lambda of least generalised cross-validation
// error, and scaled so that mapped rows are as long as those of the first, on average. `adapter` has mean, mean_b and
// scale already, and gets map_b. Work: 20,000 D_b (D_b + D) + 9 D_b^3. A function of seed and vectors alone.
void fit_map(const AdaptRecipe& recipe, const Material& material, Adapter& adapter);

// Whether the recipe wants such a map of vectors of these widths.
bool wants_map(const AdaptRecipe& recipe, int64_t first_dims, int64_t second_dims);

}  // namespace orthant::adapt
