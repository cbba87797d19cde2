#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orthant/catalogue/feature_profile.h"
#include "orthant/search/columns.h"

namespace orthant::catalogue {

// The largest value of feature f over all items, zeros included.
float largest(const search::Columns& columns, int64_t f);

// The items where a feature is above 1e-5, or below -1e-5.
enum class Side { kPositive, kNegative };

// Items of one side, at most `most`: strongest first, of equal ones the lower item.
std::vector<Activation> strongest(const search::Columns& columns, int64_t f, int64_t most, Side side = Side::kPositive);

// Ten bands of the activations `ordered`, strongest first: band k holds those from k/10 to (k+1)/10 of them.
std::vector<QuantileBand> quantile_bands(std::span<const Activation> ordered);

// At most `most` items on which f does not fire, rising; drawn at random by the number of the feature.
std::vector<int64_t> silent_items(const search::Columns& columns, int64_t f, int64_t most);

// 20 ranges over the values of f where it fires, from the smallest or 0 to the largest or 0; from 0 to 1 if it is dead.
Histogram firing_histogram(const search::Columns& columns, int64_t f);

// Items on which f alone fires (`active` [N] features fire on each), at most `most`: largest |x| first.
std::vector<Activation> anchor_items(const search::Columns& columns, std::span<const int32_t> active, int64_t f,
                                     int64_t most);

// Other features that fire with f, at most `most`: largest share of common items first.
std::vector<CofiringFeature> cofiring_features(const search::Columns& columns, int64_t f, int64_t most);

}  // namespace orthant::catalogue
