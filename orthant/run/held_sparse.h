#pragma once

#include "orthant/run/recipe.h"

// Features that `ncl` holds sparse and alive: make_recipe() says by what, fit_to_data() what suits pictures better.
namespace orthant {

constexpr int64_t kNclFeatures = 512;
constexpr double kNclSparsity = 0.9;
constexpr double kNclWarmup = 0.4;

inline bool cuts_at_zero(const ActivationOptions& activation) {
  return activation.name == "relu" || activation.name == "rep_relu";
}

// Whether they are, where nobody says otherwise.
inline bool is_held(const Recipe& recipe) {
  return recipe.train.method == "ncl" && recipe.projector.depth > 0 && cuts_at_zero(recipe.activation);
}

}  // namespace orthant
