#include "orthant/measure/communities.h"

#include <gmock/gmock.h>

#include <cmath>

#include "orthant/core/matrix.h"
#include "tests/support/message_of.h"

namespace orthant::measure {
namespace {

using ::testing::ElementsAre;

TEST(Communities, AreTheStrongestFeatures) {
  Matrix rows(4, 3);
  rows(0, 1) = 2;
  rows(1, 0) = 1;
  rows(1, 2) = 1;
  rows(2, 0) = -5;
  rows(2, 1) = 0.5F;
  EXPECT_THAT(communities(rows), ElementsAre(1, 0, 1, -1));
  EXPECT_THAT(communities(SparseMatrix::from_dense(rows)), ElementsAre(1, 0, 1, -1));
}

TEST(Communities, NmiIsOneForTheSamePartitionAndZeroForAnUnrelatedOne) {
  const std::vector<int64_t> labels = {0, 0, 1, 1, -1};
  const auto same = community_agreement(std::vector<int64_t>{7, 7, 3, 3, 9}, labels);
  EXPECT_NEAR(same->nmi, 1, 1e-12);
  EXPECT_EQ(same->purity, 1);
  EXPECT_EQ(same->parts, 2) << "the item without a class does not count";
  const auto other = community_agreement(std::vector<int64_t>{0, 1, 0, 1, 0}, labels);
  EXPECT_NEAR(other->nmi, 0, 1e-12);
  EXPECT_EQ(other->purity, 0.5);
  // H(parts) = log 4, H(classes) = log 2, I = log 2.
  const auto finer = community_agreement(std::vector<int64_t>{0, 1, 2, 3, 0}, labels);
  EXPECT_NEAR(finer->nmi, 2.0 / 3, 1e-12);
  EXPECT_FALSE(community_agreement(std::vector<int64_t>{0}, std::vector<int64_t>{-1}));
  EXPECT_THAT(test::message_of([&] { community_agreement(std::vector<int64_t>{0}, labels); }),
              ::testing::HasSubstr("expected a label for each of 1 items, got 5"));
}

// Two triangles with a bridge: 6/7 within, less 2 (7/14)^2.
TEST(Communities, ModularityIsNewmans) {
  const std::vector<Edge> edges = {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {2, 3}};
  EXPECT_NEAR(*modularity(std::vector<int64_t>{0, 0, 0, 1, 1, 1}, edges), 6.0 / 7 - 0.5, 1e-12);
  EXPECT_NEAR(*modularity(std::vector<int64_t>{0, 0, 0, 0, 0, 0}, edges), 0, 1e-12);
  const double alone = *modularity(std::vector<int64_t>{-1, -1, -1, -1, -1, -1}, edges);
  EXPECT_NEAR(alone, -(4 * 4 + 2 * 9) / 196.0, 1e-12);
  EXPECT_FALSE(modularity(std::vector<int64_t>{0, 0}, std::vector<Edge>{}));
}

}  // namespace
}  // namespace orthant::measure
