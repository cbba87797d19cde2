#include "orthant/select/sweep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "orthant/core/rng.h"
#include "tests/support/message_of.h"

namespace orthant::select {
namespace {

using test::message_of;
using ::testing::HasSubstr;

// Four classes told by four strong features, twelve weak ones of noise.
Embeddings made(int64_t rows, uint64_t seed, bool sparse) {
  Matrix x(rows, 16);
  Embeddings embeddings;
  Rng rng(seed);
  for (int64_t i = 0; i < rows; ++i) {
    embeddings.labels.push_back(i % 4);
    for (int64_t j = 4; j < 16; ++j) x(i, j) = rng.bernoulli(0.5) ? 0.0F : 0.1F * static_cast<float>(rng.uniform());
    x(i, i % 4) = 1 + static_cast<float>(rng.uniform());
  }
  if (sparse) {
    embeddings.features = SparseMatrix::from_dense(x);
  } else {
    embeddings.features = std::move(x);
  }
  return embeddings;
}

TEST(Sweep, TheFeaturesThatTellTheClassesAreEnough) {
  for (const bool sparse : {false, true}) {
    const Embeddings train = made(120, 1, sparse);
    const Embeddings test = made(80, 2, sparse);
    int64_t told = 0;
    SweepOptions options{.keep = {4}, .seeds = 3, .threads = 1};
    options.progress = [&](int64_t done, int64_t total) {
      EXPECT_EQ(done, ++told);
      EXPECT_EQ(total, 1 + 3 + 1 + 1);
    };
    const Sweep found = sweep(&train, test, options);
    EXPECT_EQ(told, 6);
    ASSERT_EQ(found.points.size(), 4u);
    EXPECT_TRUE(found.probed);
    const SweepPoint& all = found.points[0];
    EXPECT_EQ(all.by, "all");
    EXPECT_EQ(all.kept, 16);
    EXPECT_EQ(all.probe.mean, 1);
    const SweepPoint& random = found.points[1];
    EXPECT_EQ(random.draws, 3);
    EXPECT_LT(random.knn.mean, 0.9);
    EXPECT_GT(random.knn.deviation, 0);
    const SweepPoint& relu = found.points[3];
    EXPECT_EQ(relu.rank, "relu");
    EXPECT_EQ(relu.draws, 1);
    for (const Spread& spread : {relu.probe, relu.probe_top5, relu.knn, relu.precision, relu.average_precision}) {
      EXPECT_EQ(spread.mean, 1);
      EXPECT_EQ(spread.deviation, 0);
    }
  }
}

TEST(Sweep, WithoutTrainingEmbeddingsThereIsNoProbe) {
  const Sweep found = sweep(nullptr, made(60, 3, false), {.rankings = {{.by = "variance"}}, .neighbours = 5});
  EXPECT_FALSE(found.probed);
  ASSERT_EQ(found.points.size(), 2u);
  EXPECT_EQ(found.points[1].kept, 8);
  EXPECT_EQ(found.points[1].knn.mean, 1);
}

TEST(Sweep, TheProbeCanSeeThePositivePartOnly) {
  // The class is in the sign of one feature, and only the negative side tells class 0 from class 1.
  Embeddings signs;
  signs.features = Matrix(40, 1);
  for (int64_t i = 0; i < 40; ++i) {
    signs.labels.push_back(i % 2);
    std::get<Matrix>(signs.features)(i, 0) = i % 2 == 0 ? -1.0F : -2.0F;
  }
  EXPECT_EQ(sweep(&signs, signs, {.l2 = 1e-4, .neighbours = 1}).points[0].probe.mean, 1);
  EXPECT_EQ(sweep(&signs, signs, {.probe_relu = true, .l2 = 1e-4, .neighbours = 1}).points[0].probe.mean, 0.5);
}

TEST(Sweep, CountsTheProbesThatStopShortOfTheirMinimum) {
  const Embeddings train = made(120, 1, false);
  const Embeddings test = made(80, 2, false);
  SweepOptions options{.keep = {4}, .rankings = {{.by = "random"}, {.rank = "relu"}}, .seeds = 3, .l2 = 1e-4};
  for (const SweepPoint& point : sweep(&train, test, options).points) EXPECT_EQ(point.unconverged, 0) << point.by;
  options.iterations = 1;
  for (const SweepPoint& point : sweep(&train, test, options).points) EXPECT_EQ(point.unconverged, point.draws);
}

TEST(Sweep, RefusesWhatDoesNotFit) {
  const Embeddings good = made(8, 4, false);
  Embeddings bare = good;
  bare.labels.clear();
  Embeddings narrow = good;
  narrow.features = Matrix(8, 3);
  EXPECT_THAT(message_of([&] { sweep(nullptr, bare); }), HasSubstr("embeddings with labels"));
  EXPECT_THAT(message_of([&] { sweep(&bare, good); }), HasSubstr("training embeddings with labels"));
  EXPECT_THAT(message_of([&] { sweep(&narrow, good); }), HasSubstr("of 16 features, got 3"));
  EXPECT_THAT(message_of([&] { sweep(nullptr, good, {.keep = {17}}); }), HasSubstr("1 to 16 features to keep, got 17"));
  EXPECT_THAT(message_of([&] { sweep(nullptr, good, {.seeds = 0}); }), HasSubstr("at least one seed"));
  EXPECT_THAT(message_of([&] { sweep(nullptr, good, {.iterations = 0}); }),
              HasSubstr("at least one seed, neighbour and"));
}

}  // namespace
}  // namespace orthant::select
