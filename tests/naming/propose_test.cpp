#include "orthant/naming/propose.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "orthant/core/rng.h"
#include "orthant/io/npz.h"
#include "tests/support/message_of.h"

namespace orthant::naming {
namespace {

using ::testing::HasSubstr;

io::Array golden(const std::string& name) { return io::Npz::open(ORTHANT_GOLDEN_DIR "/naming/names.npz").read(name); }

std::vector<std::string> numbered(int64_t count) {
  std::vector<std::string> names;
  for (int64_t i = 0; i < count; ++i) names.push_back(std::to_string(i));
  return names;
}

TEST(ProposeNames, IsTheRuleByHand) {
  // Two features, each on for one item; two classes. With s = 10, P = 1 / (1 + exp(-10)) for the item's own class.
  const Matrix features(2, 2, {1, 0, 0, 1});
  const Concepts concepts = label_concepts(std::vector<int64_t>{0, 1}, std::vector<std::string>{"cat", "dog"});
  const auto found = propose_names(features, concepts);
  const double own = 1 / (1 + std::exp(-10.0));
  const double with = std::log(1 + 0.998 * (own - 1) + 1e-7);
  const double without = std::log(1 + 0.998 * (1 - own - 1) + 1e-7);
  const double expected = with - std::log((std::exp(with) + std::exp(without)) / 2);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].name, "cat");
  EXPECT_EQ(found[0].second, "dog");
  EXPECT_EQ(found[1].name, "dog");
  EXPECT_NEAR(found[0].score, expected, 1e-6);
  EXPECT_NEAR(found[0].chance, expected, 1e-6);  // any item has a class of its own
  EXPECT_EQ(found[0].items, 1);
}

TEST(ProposeNames, IsNumPysForBinaryAndForDenseScores) {
  const Matrix features = io::to_matrix(golden("features"), "features");
  for (const std::string kind : {"binary", "cosines"}) {
    const Matrix scores = io::to_matrix(golden(kind), kind);
    for (const bool sparse : {false, true}) {
      Concepts concepts{.names = numbered(scores.cols()), .scores = scores};
      if (sparse) concepts.scores = SparseMatrix::from_dense(scores);
      const auto found = propose_names(features, concepts, {.most = 10});
      const io::Array live = golden(kind + ".live");
      const io::Array best = golden(kind + ".best");
      const io::Array score = golden(kind + ".score");
      const io::Array second = golden(kind + ".second");
      for (size_t r = 0; r < live.as<int64_t>().size(); ++r) {
        const Proposal& one = found[static_cast<size_t>(live.as<int64_t>()[r])];
        EXPECT_EQ(one.name, std::to_string(best.as<int64_t>()[r])) << kind;
        EXPECT_NEAR(one.score, score.as<double>()[r], 1e-5) << kind;
        EXPECT_NEAR(one.second_score, second.as<double>()[r], 1e-5) << kind;
      }
      EXPECT_EQ(found[4], Proposal{});  // dead
    }
  }
}

TEST(ProposeNames, PlantedConceptsAreFoundFarAboveChanceAndNoiseIsNot) {
  Rng rng(1);
  std::vector<int64_t> labels;
  Matrix features(400, 5);
  for (int64_t i = 0; i < 400; ++i) {
    labels.push_back(i % 4);
    for (int64_t k = 0; k < 4; ++k) features(i, k) = static_cast<float>(rng.uniform()) + (i % 4 == k ? 5.0F : 0.0F);
    features(i, 4) = static_cast<float>(5 * rng.uniform());
  }
  const auto found = propose_names(features, label_concepts(labels, {}), {.most = 50});
  for (size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(found[k].name, std::to_string(k));
    EXPECT_GT(found[k].score, found[k].chance + 0.5);
  }
  EXPECT_LT(found[4].score, found[4].chance + 0.2);
}

TEST(ProposeNames, DoesNotDependOnThreads) {
  const Matrix features = io::to_matrix(golden("features"), "features");
  const Concepts concepts{.names = numbered(12), .scores = io::to_matrix(golden("cosines"), "cosines")};
  EXPECT_EQ(propose_names(features, concepts, {.threads = 1}), propose_names(features, concepts, {.threads = 2}));
}

TEST(ProposeNames, RefusesConceptsOfOtherItems) {
  const Concepts concepts = label_concepts(std::vector<int64_t>{0, 1, 0}, {});
  EXPECT_THAT(test::message_of([&] {
                propose_names(Matrix(2, 2, {1, 0, 0, 1}), concepts);
              }),
              HasSubstr("[name] expected concepts of the 2 items, got 3"));
}

}  // namespace
}  // namespace orthant::naming
