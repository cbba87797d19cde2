#pragma once

#include "orthant/adapt/adapter.h"
#include "orthant/adapt/material.h"
#include "orthant/adapt/recipe.h"

namespace orthant::adapt {

// The gate that a method learns.
Gate gate_of(const std::string& method);

// An adapter before it has learned: directions of unit length, as adapter.start says, encoder and decoder alike, and
// the encoder scaled so that what it reconstructs has the length of what it was given. Thresholds of jump begin where
// `active` features are on per row. A function of the recipe and the vectors.
Adapter start_adapter(const AdaptRecipe& recipe, const Material& material);

}  // namespace orthant::adapt
