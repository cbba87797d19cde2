#include "orthant/theory/simulator.h"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

#include "orthant/linalg/products.h"
#include "orthant/theory/pair_sampler.h"
#include "orthant/theory/population_loss.h"
#include "tests/support/message_of.h"

namespace orthant::theory {
namespace {

using test::message_of;
using ::testing::HasSubstr;

double column_sum(const Matrix64& matrix, int64_t j) {
  double sum = 0;
  for (int64_t i = 0; i < matrix.rows(); ++i) sum += matrix(i, j);
  return sum;
}

TEST(Simulator, GivesDistributionsThatAddUp) {
  for (const Prior prior : {Prior::uniform, Prior::geometric, Prior::random}) {
    for (const double overlap : {0.0, 0.3, 0.9}) {
      const LatentClasses world =
          simulate({.classes = 5, .samples = 37, .overlap = overlap, .prior = prior, .seed = 3});
      EXPECT_NEAR(std::accumulate(world.prior.begin(), world.prior.end(), 0.0), 1, 1e-12);
      EXPECT_NEAR(std::accumulate(world.marginal.begin(), world.marginal.end(), 0.0), 1, 1e-12);
      for (int64_t c = 0; c < 5; ++c) EXPECT_NEAR(column_sum(world.given_class, c), 1, 1e-12);
      for (int64_t x = 0; x < 37; ++x) {
        const auto row = world.posterior.row(x);
        EXPECT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), 1, 1e-12);
      }
      const Matrix64 joint = world.joint();
      for (int64_t x = 0; x < 37; ++x) {
        EXPECT_NEAR(column_sum(joint, x), world.marginal[static_cast<size_t>(x)], 1e-14);
      }
    }
  }
}

TEST(Simulator, GivesEverySampleOneClassWithoutOverlap) {
  const LatentClasses world = simulate({.classes = 4, .samples = 30, .overlap = 0, .seed = 1});
  for (int64_t x = 0; x < 30; ++x) {
    for (int64_t c = 0; c < 4; ++c) {
      EXPECT_EQ(world.posterior(x, c), c == world.home[static_cast<size_t>(x)] ? 1 : 0);
    }
  }
}

TEST(Simulator, HasAnAnchorForEveryClassExactlyWhenAsked) {
  for (const bool anchors : {true, false}) {
    const LatentClasses world = simulate({.classes = 6, .samples = 60, .overlap = 0.4, .anchors = anchors, .seed = 2});
    for (int64_t c = 0; c < 6; ++c) {
      bool found = false;
      for (int64_t x = 0; x < 60; ++x) found = found || world.posterior(x, c) == 1;
      EXPECT_EQ(found, anchors) << "class " << c;
    }
  }
}

TEST(Simulator, OverlapIsTheShareOutsideTheHomeClass) {
  const LatentClasses world = simulate({.classes = 8, .samples = 4000, .overlap = 0.3, .anchors = false, .seed = 5});
  double outside = 0;
  for (int64_t x = 0; x < 4000; ++x) {
    outside += world.marginal[static_cast<size_t>(x)] * (1 - world.posterior(x, world.home[static_cast<size_t>(x)]));
  }
  EXPECT_NEAR(outside, 0.3, 0.01);
}

TEST(Simulator, GivesEveryClassASampleEvenWhenThePriorIsSteep) {
  const LatentClasses world = simulate({.classes = 20, .samples = 20, .overlap = 0, .prior = Prior::geometric});
  for (int64_t x = 0; x < 20; ++x) EXPECT_EQ(world.home[static_cast<size_t>(x)], x);
}

TEST(Simulator, NormalisesByTheMarginalsAndKeepsTheTopEigenvector) {
  const LatentClasses world = simulate({.classes = 3, .samples = 25, .overlap = 0.2, .prior = Prior::random});
  const Matrix64 joint = world.joint();
  const Matrix64 cooccurrence = world.cooccurrence();
  for (int64_t i = 0; i < 25; ++i) {
    double image = 0;  // of sqrt(P(x)), which has eigenvalue 1
    for (int64_t j = 0; j < 25; ++j) {
      const double expected =
          joint(i, j) / std::sqrt(world.marginal[static_cast<size_t>(i)] * world.marginal[static_cast<size_t>(j)]);
      EXPECT_NEAR(cooccurrence(i, j), expected, 1e-14);
      EXPECT_EQ(cooccurrence(i, j), cooccurrence(j, i));
      image += cooccurrence(i, j) * std::sqrt(world.marginal[static_cast<size_t>(j)]);
    }
    EXPECT_NEAR(image, std::sqrt(world.marginal[static_cast<size_t>(i)]), 1e-13);
  }
}

TEST(Simulator, StoresOnlyBlocksWhenClassesAreApart) {
  const LatentClasses world = simulate({.classes = 4, .samples = 40, .overlap = 0});
  const SparseMatrix64 sparse = world.sparse_cooccurrence();
  EXPECT_EQ(sparse.nnz(), 4 * 10 * 10);
  const Matrix64 dense = world.cooccurrence();
  const Matrix64 back = sparse.to_dense();
  for (int64_t i = 0; i < dense.size(); ++i) EXPECT_NEAR(back.data()[i], dense.data()[i], 1e-14);
}

TEST(Simulator, SatisfiesTheoremThreeAndTheMultiModalOne) {
  for (const double overlap : {0.0, 0.1, 0.7}) {
    const LatentClassOptions options{
        .classes = 6, .samples = 50, .overlap = overlap, .prior = Prior::random, .seed = 9};
    const LatentClasses world = simulate(options);
    const Matrix64 cooccurrence = world.cooccurrence();
    const Matrix64 phi = world.optimal_features();
    EXPECT_NEAR(factorization_loss(cooccurrence, to_factors(phi, world.marginal)), 0, 1e-20);
    EXPECT_NEAR(spectral_loss(world.joint(), phi), -linalg::squared_norm(cooccurrence), 1e-10);

    const TwoModalities two = simulate_two_modalities(options, 33);
    EXPECT_EQ(two.language.samples(), 33);
    EXPECT_NEAR(factorization_loss(two.cooccurrence(), to_factors(two.vision.optimal_features(), two.vision.marginal),
                                   to_factors(two.language.optimal_features(), two.language.marginal)),
                0, 1e-20);
  }
}

TEST(Simulator, RepeatsItselfAndDiffersBySeed) {
  const LatentClasses first = simulate({.seed = 4});
  EXPECT_EQ(first.posterior, simulate({.seed = 4}).posterior);
  EXPECT_NE(first.posterior, simulate({.seed = 5}).posterior);
}

TEST(Simulator, RefusesSizesAndOverlapsOutOfRange) {
  EXPECT_THAT(message_of([] { simulate({.classes = 0}); }), HasSubstr("at least 1 class, got 0"));
  EXPECT_THAT(message_of([] { simulate({.classes = 8, .samples = 7}); }), HasSubstr("got 7 samples"));
  EXPECT_THAT(message_of([] { simulate({.overlap = 1}); }), HasSubstr("overlap from 0 to 0.95, got 1"));
  EXPECT_THAT(message_of([] { simulate({.overlap = NAN}); }), HasSubstr("got nan"));
  EXPECT_THAT(message_of([] { simulate({.classes = 1, .overlap = 0.1}); }), HasSubstr("overlap 0 for a single class"));
  EXPECT_THAT(message_of([] { to_factors(Matrix64(3, 2), {0.5, 0.5}); }), HasSubstr("3 rows, got 2"));
}

TEST(PopulationLoss, IsTheSumByHand) {
  // Two samples, P = [[.4, .1], [.1, .4]], f = (1, 2): -2 (.4 + .2 + .2 + 1.6) + (.25)(1 + 4 + 4 + 16) = 1.45.
  const Matrix64 joint(2, 2, {0.4, 0.1, 0.1, 0.4});
  const Matrix64 f(2, 1, {1, 2});
  EXPECT_NEAR(spectral_loss(joint, f), 1.45, 1e-14);
  EXPECT_NEAR(factorization_loss(Matrix64(2, 2, {1, 0, 0, 1}), f), 0 + 4 + 4 + 9, 1e-14);
  EXPECT_THROW(spectral_loss(joint, Matrix64(3, 1)), std::invalid_argument);
}

TEST(AliasTable, DrawsByWeightAndNeverWhatHasNone) {
  const AliasTable table(std::vector<double>{1, 0, 3, 4, 0, 2});
  std::vector<int> counts(6, 0);
  Rng rng(7);
  for (int i = 0; i < 100000; ++i) ++counts[static_cast<size_t>(table.draw(rng))];
  EXPECT_EQ(counts[1], 0);
  EXPECT_EQ(counts[4], 0);
  EXPECT_NEAR(counts[0], 10000, 500);
  EXPECT_NEAR(counts[2], 30000, 800);
  EXPECT_NEAR(counts[3], 40000, 800);
  EXPECT_NEAR(counts[5], 20000, 700);
}

TEST(AliasTable, RefusesWeightsThatAreNoDistribution) {
  EXPECT_THROW(AliasTable(std::vector<double>{}), std::invalid_argument);
  EXPECT_THROW(AliasTable(std::vector<double>{0, 0}), std::invalid_argument);
  EXPECT_THROW(AliasTable(std::vector<double>{1, -1}), std::invalid_argument);
  EXPECT_THROW(AliasTable(std::vector<double>{1, NAN}), std::invalid_argument);
}

TEST(PairSampler, FollowsTheJointDistribution) {
  const LatentClasses world = simulate({.classes = 3, .samples = 9, .overlap = 0.2, .prior = Prior::random});
  const auto pairs = PairSampler(world).draw(200000, 1);
  Matrix64 counts(9, 9);
  for (const auto& [a, b] : pairs) counts(a, b) += 1.0 / 200000;
  const Matrix64 joint = world.joint();
  for (int64_t i = 0; i < joint.size(); ++i) EXPECT_NEAR(counts.data()[i], joint.data()[i], 0.003);
}

TEST(EmpiricalCooccurrence, CountsBothDirectionsAndLeavesUnseenSamplesEmpty) {
  const std::vector<Pair> pairs = {{0, 1}, {0, 0}};
  const EmpiricalCooccurrence seen = empirical_cooccurrence(pairs, 3);
  // Joint: (0,0) .5, (0,1) and (1,0) .25; marginal .75, .25, 0.
  EXPECT_NEAR(seen.matrix(0, 0), 0.5 / 0.75, 1e-15);
  EXPECT_NEAR(seen.matrix(0, 1), 0.25 / std::sqrt(0.75 * 0.25), 1e-15);
  EXPECT_EQ(seen.matrix(1, 0), seen.matrix(0, 1));
  EXPECT_EQ(seen.matrix(2, 2), 0);
  EXPECT_EQ(seen.marginal[2], 0);
  EXPECT_THROW(empirical_cooccurrence(pairs, 1), std::invalid_argument);
}

}  // namespace
}  // namespace orthant::theory
