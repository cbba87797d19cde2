#pragma once

#include <cstdint>
#include <span>

namespace orthant {

// The arithmetic of texts: rows of a table that are averaged, and words that attend to each other. Kernels use
// `threads` threads of the OpenMP pool; every element is summed by one of them in a fixed order, so that results do not
// depend on how many there are.

// For each item the numbers of some rows of a table, [items, length]; negative ones count as none.
struct Bags {
  std::span<const int32_t> ids;
  int64_t items = 0;
  int64_t length = 0;
};

// means [items, dims]: the mean of the rows of each bag in `table` [rows, dims]; zero for an empty bag.
void bag_mean(const Bags& bags, std::span<const float> table, int64_t dims, int threads, std::span<float> means);

// The gradient [rows, dims] of the table for that of the means [items, dims]; every element is written, rows in no bag
// become zero.
void bag_mean_gradient(const Bags& bags, std::span<const float> means_gradient, int64_t dims, int threads,
                       std::span<float> gradient);

// Items of several tokens that lie behind one another: item i has the tokens begins[i] .. begins[i + 1] - 1.
struct Segments {
  std::span<const int64_t> begins;  // one more than there are items, rising from 0 to the number of tokens
  int64_t heads = 1;
  int64_t width = 0;  // of a head
};

// Softmax attention within each item: qkv [tokens, 3, heads, width] to [tokens, heads, width], with scores q k /
// sqrt(width).
void segment_attention(const Segments& segments, std::span<const float> qkv, int threads, std::span<float> out);

// The gradient of qkv for that of the result.
void segment_attention_gradient(const Segments& segments, std::span<const float> qkv,
                                std::span<const float> out_gradient, int threads, std::span<float> qkv_gradient);

}  // namespace orthant
