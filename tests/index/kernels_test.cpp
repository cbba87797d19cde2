#include "orthant/index/kernels.h"

#include <gtest/gtest.h>

#include "orthant/core/rng.h"

namespace orthant::index {
namespace {

TEST(IndexKernels, EstimatesAreTheSumsOfProductsAndTheirLargest) {
  Rng rng(3);
  for (const int64_t count : {1, 63, 64, 65, 128, 200, 1000}) {
    const auto blocks = static_cast<size_t>(count);
    for (const size_t features : {0U, 1U, 7U}) {
      std::vector<std::vector<uint8_t>> levels(features, std::vector<uint8_t>(blocks));
      std::vector<const uint8_t*> rows;
      std::vector<uint16_t> weights;
      for (auto& row : levels) {
        for (uint8_t& level : row) level = static_cast<uint8_t>(rng.below(256));
        row[0] = 255;
        rows.push_back(row.data());
        weights.push_back(static_cast<uint16_t>(rng.below(65535 / features + 1)));
      }
      std::vector<uint16_t> sums(blocks, 9);
      std::vector<uint16_t> most((blocks + 63) / 64, 9);
      estimate(rows, weights, count, sums.data(), most.data());
      std::vector<uint16_t> largest(most.size());
      for (size_t b = 0; b < blocks; ++b) {
        uint32_t sum = 0;
        for (size_t n = 0; n < features; ++n) sum += (uint32_t{levels[n][b]} * 256 * weights[n]) / 65536;
        ASSERT_EQ(sums[b], sum) << b << " of " << count;
        largest[b / 64] = std::max(largest[b / 64], sums[b]);
      }
      EXPECT_EQ(most, largest);
    }
  }
}

TEST(IndexKernels, ListsAreAddedAndNothingBehindThemIs) {
  for (const size_t size : {0U, 1U, 15U, 16U, 17U, 40U}) {
    for (const size_t behind : {0U, 3U, 20U}) {
      std::vector<Posting> postings;
      for (size_t n = 0; n < size + behind; ++n) {
        postings.push_back({static_cast<uint16_t>(65535 - 7 * n), static_cast<uint16_t>(1 + 1000 * n)});
      }
      std::vector<float> scores(65536, 0.5F);
      std::vector<float> expected = scores;
      for (size_t n = 0; n < size; ++n) expected[postings[n].place] += 0.25F * static_cast<float>(postings[n].level);
      add_list(List(postings).first(size), postings.data() + postings.size(), 0.25F, scores.data());
      EXPECT_EQ(scores, expected) << size << " " << behind;

      std::vector<float> dense(size, 2);
      add_dense(List(postings).first(size), 0.5F, dense.data());
      for (size_t n = 0; n < size; ++n) EXPECT_EQ(dense[n], 2 + 0.5F * static_cast<float>(postings[n].level));
    }
  }
}

}  // namespace
}  // namespace orthant::index
