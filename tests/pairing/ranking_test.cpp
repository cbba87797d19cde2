#include "orthant/pairing/ranking.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/pairing/random_pairs.h"
#include "tests/support/message_of.h"

namespace orthant::pairing {
namespace {

using testing::HasSubstr;
using Owners = std::vector<int64_t>;

bool same(const Place& x, const Place& y) { return x.ahead == y.ahead && x.equal == y.equal && x.own == y.own; }

double cosine(const Features& a, int64_t i, const Features& b, int64_t j) {
  const double lengths = a.row_norm(i) * b.row_norm(j);
  double sum = 0;
  for (int64_t k = 0; k < a.cols(); ++k) {
    sum += static_cast<double>((*a.dense())(i, k)) * static_cast<double>((*b.dense())(j, k));
  }
  return lengths == 0 ? 0 : sum / lengths;
}

// The naive twin: where the best of `own` stands among all scores.
Place place_of(const std::vector<double>& scores, const std::vector<bool>& own) {
  double best = -2;
  for (size_t n = 0; n < scores.size(); ++n) {
    if (own[n]) best = std::max(best, scores[n]);
  }
  Place place;
  for (size_t n = 0; n < scores.size(); ++n) {
    const bool ahead = scores[n] > best + 1e-9;
    const bool equal = std::abs(scores[n] - best) <= 1e-9;
    place.ahead += ahead && !own[n] ? 1 : 0;
    place.equal += equal && !own[n] ? 1 : 0;
    place.own += equal && own[n] ? 1 : 0;
  }
  return place;
}

Ranking naive(const Matrix& a, const Matrix& b, const Owners& owner) {
  Ranking ranking;
  for (int64_t i = 0; i < a.rows(); ++i) {
    std::vector<double> scores;
    std::vector<bool> own;
    for (int64_t j = 0; j < b.rows(); ++j) {
      scores.push_back(cosine(a, i, b, j));
      own.push_back(owner[static_cast<size_t>(j)] == i);
    }
    ranking.a_to_b.push_back(place_of(scores, own));
  }
  for (int64_t j = 0; j < b.rows(); ++j) {
    std::vector<double> scores;
    std::vector<bool> own;
    for (int64_t i = 0; i < a.rows(); ++i) {
      scores.push_back(cosine(a, i, b, j));
      own.push_back(owner[static_cast<size_t>(j)] == i);
    }
    ranking.b_to_a.push_back(place_of(scores, own));
  }
  return ranking;
}

void expect_same(const Ranking& found, const Ranking& expected) {
  EXPECT_TRUE(std::ranges::equal(found.a_to_b, expected.a_to_b, same));
  EXPECT_TRUE(std::ranges::equal(found.b_to_a, expected.b_to_a, same));
}

// Item 0 is nearest to the row of item 1; item 1 has two rows.
TEST(Ranking, FindsThePlacesWorkedOutByHand) {
  const Matrix a(2, 2, {1, 0, 0, 1});
  const Matrix b(3, 2, {1, 2, 3, 1, 0, 5});
  const Ranking found = rank_pairs(a, b, Owners{0, 1, 1});
  EXPECT_EQ(found.a_to_b[0].ahead, 1);  // row 1 is more like item 0 than its own row 0
  EXPECT_EQ(found.a_to_b[1].ahead, 0);
  EXPECT_EQ(found.b_to_a[0].ahead, 1);
  EXPECT_EQ(found.b_to_a[1].ahead, 1);
  EXPECT_EQ(found.b_to_a[2].ahead, 0);
}

TEST(Ranking, EqualsTheNaiveTwinAcrossTilesDenseAndSparse) {
  const test::RandomPairs pairs = test::random_pairs(300, 1300, 9, 4);
  const Ranking expected = naive(pairs.a, pairs.b, pairs.owner);
  for (const int threads : {1, 2}) expect_same(rank_pairs(pairs.a, pairs.b, pairs.owner, threads), expected);
  const SparseMatrix a = SparseMatrix::from_dense(pairs.a);
  const SparseMatrix b = SparseMatrix::from_dense(pairs.b);
  expect_same(rank_pairs(a, b, pairs.owner), expected);
}

// All rows alike: every order is as good as another, and that is chance.
TEST(Ranking, OfCollapsedFeaturesIsChance) {
  for (const float value : {0.0F, 0.3F}) {
    const Matrix a(200, 7, std::vector<float>(1400, value));
    const Matrix b(400, 7, std::vector<float>(2800, 2 * value));
    Owners owner;
    for (int64_t j = 0; j < 400; ++j) owner.push_back(j / 2);
    const Ranking found = rank_pairs(a, b, owner);
    EXPECT_NEAR(recall_at(found.a_to_b, 1), 2.0 / 400, 1e-12);
    EXPECT_NEAR(recall_at(found.b_to_a, 1), 1.0 / 200, 1e-12);
    EXPECT_EQ(median_rank(found.b_to_a), 100);
  }
}

TEST(Ranking, IsPerfectForEqualRowsOfDifferentItems) {
  const Matrix a = test::random_features(50, 20, 0, false, 8);
  Owners owner(50);
  for (int64_t j = 0; j < 50; ++j) owner[static_cast<size_t>(j)] = j;
  const Ranking found = rank_pairs(a, a, owner);
  EXPECT_NEAR(recall_at(found.a_to_b, 1), 49.0 / 50 + 1.0 / 2500, 0.021);  // row 2 is zero
  EXPECT_EQ(median_rank(found.a_to_b), 1);
}

TEST(Ranking, RejectsWhatDoesNotFit) {
  EXPECT_THAT(test::message_of([] {
                rank_pairs(Matrix(2, 3), Matrix(2, 2), Owners{0, 1});
              }),
              HasSubstr("expected as many features on both sides, got 3 and 2"));
  EXPECT_THAT(test::message_of([] { rank_pairs(Matrix(1, 1), Matrix(1, 1, {NAN}), Owners{0}); }),
              HasSubstr("[pairs, second] expected finite features"));
  EXPECT_THAT(test::message_of([] { rank_pairs(Matrix(2, 1), Matrix(1, 1), Owners{3}); }),
              HasSubstr("got 3 for row 0"));
}

}  // namespace
}  // namespace orthant::pairing
