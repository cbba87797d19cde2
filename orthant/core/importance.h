#pragma once

#include <span>
#include <vector>

#include "orthant/core/embeddings.h"

namespace orthant {

// Where how much each column counts was learned with the features, embeddings say it as how["learned_importance"]: D
// numbers, finite and not negative, "1.75,1.5,...", each with as many digits as give the same float back.
constexpr const char* kLearnedImportance = "learned_importance";

// Those numbers [D]; empty where nothing is said. std::invalid_argument if it says something else.
std::vector<float> importance_of(const Embeddings& embeddings);

// Says it, or nothing where there is none.
void put_importance(Embeddings& embeddings, std::span<const float> importance);

}  // namespace orthant
