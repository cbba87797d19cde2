#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "orthant/core/embeddings.h"

namespace orthant::disentangle {

// How much two factors of the same items tell of each other, from 0, independent, to 1, one determines the other:
//
//   (I(a; b) - E) / (min(H(a), H(b)) - E)
//
// where I and H are plug-in estimates and E is what I comes to between factors of which one was shuffled, the mean of a
// few shuffles with a fixed seed: few items alone look like dependence. 0 if either is constant, or too few items tell.
double dependence(const Factor& a, const Factor& b);

// Two factors whose dependence is above `limit`.
struct DependentFactors {
  std::string first;
  std::string second;
  double dependence = 0;
};

// The most dependent pair, if it is above the limit. Of more than 10,000 items so many are drawn, the same every time.
// std::invalid_argument unless all factors have as many items.
inline constexpr double kDependenceLimit = 0.5;
std::optional<DependentFactors> most_dependent(std::span<const Factor> factors, double limit = kDependenceLimit);

}  // namespace orthant::disentangle
