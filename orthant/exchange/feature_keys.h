#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orthant/core/embeddings.h"

namespace orthant::exchange {

struct NameRules {
  bool dots = true;              // names may hold "."; otherwise it becomes "_"
  int64_t max_characters = 512;  // of a name; longer ones are passed over
};

// What the features are called where texts name them: their own names where these fit the rules, otherwise f0, f1, ...;
// each once.
std::vector<std::string> feature_keys(const Embeddings& embeddings, const NameRules& rules);

// "0", "1", ...
std::vector<std::string> feature_numbers(int64_t cols);

}  // namespace orthant::exchange
