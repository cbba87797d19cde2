#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "orthant/core/features.h"

namespace orthant::measure {

// Two rows that an edge joins.
struct Edge {
  int64_t first = 0;
  int64_t second = 0;
  double weight = 1;
};

// The feature that is largest in each row [N, D], of equal ones the lowest; -1 for a row whose entries are all at most
// `threshold`. What a non-negative code is as a partition.
std::vector<int64_t> communities(const Features& features, double threshold = 1e-5);

// How a partition of N items goes with their classes. Items of class -1 do not count; those of community -1 are one
// community.
struct CommunityAgreement {
  double nmi = 0;     // I(part; class) / ((H(part) + H(class)) / 2), 1 for the same partition; 0 if both are one part
  double purity = 0;  // share of items whose class is the commonest of their community
  int64_t parts = 0;  // communities with an item that counts
};

// None if no item counts. std::invalid_argument if the two are not equally many.
std::optional<CommunityAgreement> community_agreement(std::span<const int64_t> parts, std::span<const int64_t> labels);

// Newman's modularity of the partition: the share of the edges' weight within communities, less what as many edges
// placed at random by degree would have there. An item of community -1 is alone. None without weight.
std::optional<double> modularity(std::span<const int64_t> parts, std::span<const Edge> edges);

}  // namespace orthant::measure
