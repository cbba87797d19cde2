#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "learn/loss/infonce.h"
#include "learn/loss/rounds.h"
#include "learn/loss/rows.h"
#include "learn/loss/spectral.h"
#include "learn/loss/tile.h"
#include "orthant/core/rng.h"

namespace orthant::loss {
namespace {

std::vector<float> normals(size_t count, uint64_t seed) {
  Rng rng(seed);
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(rng.normal());
  return values;
}

TEST(FastExp, IsWithinTwoRoundingsOfTheStandardOne) {
  std::vector<float> x;
  for (int i = 0; i <= 1750003; ++i) x.push_back(-87.0f + static_cast<float>(i) * 1e-4f);
  std::vector<float> out(x.size());
  exponentials(x, out);
  double worst = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const double exact = std::exp(static_cast<double>(x[i]));
    worst = std::max(worst, std::abs(static_cast<double>(out[i]) / exact - 1));
  }
  EXPECT_LT(worst, 2e-7);
}

TEST(FastExp, IsZeroFarBelowZeroAndOneAtZero) {
  const std::vector<float> x = {-87.001f, -100.0f, -1e10f, kMasked, 0.0f, -0.0f, -INFINITY};
  std::vector<float> out(x.size());
  exponentials(x, out);
  EXPECT_EQ(out, (std::vector<float>{0, 0, 0, 0, 1, 1, 0}));
}

TEST(Rounds, MeetEveryPairOnceAndNoBlockTwiceInARound) {
  for (int64_t blocks = 1; blocks <= 17; ++blocks) {
    const Rounds rounds(blocks);
    std::set<std::pair<int64_t, int64_t>> met;
    for (int64_t round = 0; round < rounds.count(); ++round) {
      std::set<int64_t> busy;
      for (int64_t slot = 0; slot < rounds.slots(round); ++slot) {
        const auto pair = rounds.pair(round, slot);
        if (!pair) continue;
        EXPECT_LE(pair->first, pair->second);
        EXPECT_TRUE(met.insert(*pair).second) << blocks;
        EXPECT_TRUE(busy.insert(pair->first).second) << blocks;
        EXPECT_TRUE(pair->first == pair->second || busy.insert(pair->second).second) << blocks;
      }
    }
    EXPECT_EQ(static_cast<int64_t>(met.size()), blocks * (blocks + 1) / 2);
  }
}

TEST(Tile, SumsRowsAndColumnsOfExponentials) {
  const int64_t rows = 5;
  const int64_t cols = 19;
  const int64_t stride = 32;
  std::vector<float> values(rows * stride, kMasked);
  Rng rng(3);
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < cols; ++j)
      values[static_cast<size_t>(i * stride + j)] = static_cast<float>(rng.normal() * 50);
  }
  values[7] = kMasked;
  std::vector<float> peak(stride, kMasked);
  std::vector<double> sum(stride, 0);
  const Tile tile{values.data(), rows, cols, stride};
  const auto log_sum = [&](int64_t k) { return peak[static_cast<size_t>(k)] + std::log(sum[static_cast<size_t>(k)]); };

  add_rows(tile, {peak, sum});
  for (int64_t i = 0; i < rows; ++i) {
    double expected = 0;
    for (int64_t j = 0; j < cols; ++j)
      expected += std::exp(static_cast<double>(values[static_cast<size_t>(i * stride + j)]));
    EXPECT_NEAR(log_sum(i), std::log(expected), 1e-6);
  }
  std::ranges::fill(peak, kMasked);
  std::ranges::fill(sum, 0.0);
  add_columns(tile, {peak, sum});
  add_columns(tile, {peak, sum});
  for (int64_t j = 0; j < cols; ++j) {
    double expected = 0;
    for (int64_t i = 0; i < rows; ++i)
      expected += 2 * std::exp(static_cast<double>(values[static_cast<size_t>(i * stride + j)]));
    EXPECT_NEAR(log_sum(j), std::log(expected), 1e-6);
  }
}

TEST(UnitRows, ScaleToLengthOneAndCountZeroRows) {
  const Batch batch{.rows = 4, .dims = 2, .views = 2};
  const std::vector<float> z = {3, 4, 0, 0, -1e20f, 0, 1e-7f, 0};
  std::vector<float> unit(8);
  std::vector<float> inverse(4);
  EXPECT_EQ(unit_rows(batch, z, 1e-6, unit, inverse, 2), 2);
  EXPECT_FLOAT_EQ(unit[0], 0.6f);
  EXPECT_FLOAT_EQ(unit[1], 0.8f);
  EXPECT_FLOAT_EQ(unit[4], -1.0f);
  EXPECT_EQ(unit[2], 0.0f);
  EXPECT_EQ(unit[6], 0.0f);
  EXPECT_FLOAT_EQ(inverse[0], 0.2f);
  EXPECT_EQ(inverse[3], 0.0f);
}

TEST(UnitRows, GradientHasNoPartAlongTheRowAndNoneForZeroRows) {
  const Batch batch{.rows = 40, .dims = 7, .views = 2};
  std::vector<float> z = normals(280, 5);
  std::fill_n(z.begin() + 14, 7, 0.0f);
  std::vector<float> unit(280);
  std::vector<float> inverse(40);
  std::vector<float> gradient = normals(280, 6);
  unit_rows(batch, z, 1e-6, unit, inverse, 1);
  unit_gradient(batch, unit, inverse, gradient, 1);
  for (size_t i = 0; i < 40; ++i) {
    EXPECT_NEAR(dot(std::span<const float>(z).subspan(i * 7, 7), std::span<const float>(gradient).subspan(i * 7, 7)), 0,
                1e-5);
  }
  EXPECT_TRUE(std::all_of(gradient.begin() + 14, gradient.begin() + 21, [](float g) { return g == 0; }));
}

TEST(MeanCosines, AreTheMeansOverPairs) {
  const Batch batch{.rows = 12, .dims = 5, .views = 3};
  const std::vector<float> z = normals(60, 8);
  std::vector<float> unit(60);
  std::vector<float> inverse(12);
  std::vector<double> sums(10);
  unit_rows(batch, z, 1e-6, unit, inverse, 1);
  double positive = 0;
  double negative = 0;
  for (size_t i = 0; i < 12; ++i) {
    for (size_t j = 0; j < 12; ++j) {
      const double s =
          dot(std::span<const float>(unit).subspan(i * 5, 5), std::span<const float>(unit).subspan(j * 5, 5));
      if (i != j) (i % 4 == j % 4 ? positive : negative) += s;
    }
  }
  const MeanCosines means = mean_cosines(batch, unit, sums);
  EXPECT_NEAR(means.positive, positive / (12 * 2), 1e-6);
  EXPECT_NEAR(means.negative, negative / (12 * 9), 1e-6);
}

struct Outcome {
  double value;
  std::vector<float> gradient;
  bool operator==(const Outcome&) const = default;
};

Outcome run_info_nce(const Batch& batch, const std::vector<float>& z, int threads) {
  std::vector<float> unit(z.size());
  std::vector<float> inverse(static_cast<size_t>(batch.rows));
  std::vector<float> gradient(z.size());
  unit_rows(batch, z, 1e-6, unit, inverse, threads);
  InfoNceWorkspace workspace(batch, threads);
  const double value = info_nce(batch, unit, 0.2, gradient, workspace);
  return {value, gradient};
}

Outcome run_spectral(const Batch& batch, const std::vector<float>& z, int threads) {
  std::vector<float> workspace(static_cast<size_t>(spectral_workspace(batch)));
  std::vector<float> gradient(z.size());
  const double value = spectral(batch, z, gradient, workspace, threads);
  return {value, gradient};
}

TEST(InfoNceKernel, LossOfAZeroRowIsThatOfChance) {
  const Batch batch{.rows = 40, .dims = 6, .views = 2};
  std::vector<float> z = normals(240, 21);
  std::fill_n(z.begin() + 60, 6, 0.0f);
  std::vector<float> unit(240);
  std::vector<float> inverse(40);
  unit_rows(batch, z, 1e-6, unit, inverse, 1);
  InfoNceWorkspace workspace(batch, 1);
  info_nce(batch, unit, 0.2, {}, workspace);
  EXPECT_NEAR(workspace.losses[10], std::log(39.0), 1e-6);
  EXPECT_GT(std::abs(workspace.losses[11] - std::log(39.0)), 1e-3);
}

TEST(FusedLosses, AreTheSameBitsForAnyNumberOfThreads) {
  for (const Batch& batch : {Batch{1002, 37, 2}, Batch{90, 130, 3}}) {
    const std::vector<float> z = normals(static_cast<size_t>(batch.rows * batch.dims), 11);
    const Outcome info_nce_alone = run_info_nce(batch, z, 1);
    const Outcome spectral_alone = run_spectral(batch, z, 1);
    for (const int threads : {2, 3, 5}) {
      EXPECT_EQ(run_info_nce(batch, z, threads), info_nce_alone) << threads;
      EXPECT_EQ(run_spectral(batch, z, threads), spectral_alone) << threads;
    }
  }
}

TEST(FusedLosses, WorkspaceGrowsWithRowsAndNotWithTheirSquare) {
  const InfoNceWorkspace small({.rows = 1 << 12, .dims = 256, .views = 2}, 2);
  const InfoNceWorkspace large({.rows = 1 << 16, .dims = 256, .views = 2}, 2);
  EXPECT_EQ(large.tiles.size(), small.tiles.size());
  EXPECT_EQ(large.sums.size(), 16 * small.sums.size());
  EXPECT_EQ(spectral_workspace({.rows = 1 << 16, .dims = 256, .views = 2}), 256 * 256);
  EXPECT_EQ(spectral_workspace({.rows = 64, .dims = 2048, .views = 2}), 64 * 64);
}

}  // namespace
}  // namespace orthant::loss
