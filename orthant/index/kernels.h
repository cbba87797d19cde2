#pragma once

#include <cstdint>
#include <span>

#include "orthant/index/segment.h"

// The inner loops of the index, on whatever SIMD the machine has. Nothing is allocated; any thread may call.
namespace orthant::index {

// scores[place] += weight * level for the postings of a list; no place comes twice. Scores are 65,536. Up to 15
// postings behind the list, before `end`, may be read, and 0 added to the scores of their places.
void add_list(List list, const Posting* end, float weight, float* scores);

// scores[n] += weight * level for posting n of a list.
void add_dense(List list, float weight, float* scores);

// scores[n] += weight * levels[n] for n from 0 to count - 1.
void add_levels(const uint8_t* levels, int64_t count, float weight, float* scores);

// sums[b] = the sum over n of (256 levels[n][b] weights[n]) >> 16, for b from 0 to count - 1, and most[c] = the largest
// of sums 64 c to 64 c + 63. Weights add up to 65,535 at most. The same on every machine.
constexpr int64_t kChunkBlocks = 64;
void estimate(std::span<const uint8_t* const> levels, std::span<const uint16_t> weights, int64_t count, uint16_t* sums,
              uint16_t* most);

}  // namespace orthant::index
