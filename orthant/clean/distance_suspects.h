#pragma once

#include <vector>

#include "orthant/clean/clean.h"
#include "orthant/search/neighbours.h"

namespace orthant::clean {

// Distances between rows of unit length, from their cosines. `found` are the nearest of each, without itself; items
// that `skip` have no direction and are left out. Suspects come surest first.

// Items that are nearly the same as one before them: each group of duplicates keeps its first item.
std::vector<Suspect> duplicate_suspects(const search::Neighbours& found, const std::vector<bool>& skip,
                                        const CleanOptions& options, DistanceFacts& facts);

// `found` are the nearest items of the bank.
std::vector<Suspect> leak_suspects(const search::Neighbours& found, const std::vector<bool>& skip,
                                   const CleanOptions& options);

std::vector<Suspect> outlier_suspects(const search::Neighbours& found, const std::vector<bool>& skip,
                                      const CleanOptions& options, DistanceFacts& facts);

}  // namespace orthant::clean
