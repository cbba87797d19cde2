#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orthant/core/embeddings.h"

namespace orthant::disentangle {

// A factor as a target to predict: the classes that occur among the training items, numbered from 0 in their order.
struct FactorTarget {
  int32_t count = 0;             // of classes that occur in training
  std::vector<int32_t> train;    // [N] 0..count-1
  std::vector<int32_t> test;     // [M] likewise; -1: a class that training does not have, never predicted right
  std::vector<int64_t> members;  // [count] training items of each class, none 0
};

FactorTarget factor_target(const Factor& train, const Factor& test = {});

// The factor of the given items only, in their order.
Factor gather_items(const Factor& factor, std::span<const int64_t> items);

// Throws std::invalid_argument, "[where] ...", unless every factor has `items` classes from 0 to its values.size() - 1.
void check_factors(const char* where, std::span<const Factor> factors, int64_t items);

}  // namespace orthant::disentangle
