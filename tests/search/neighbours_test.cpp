#include "orthant/search/neighbours.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "orthant/core/rng.h"
#include "orthant/search/list_search.h"
#include "orthant/search/panel_search.h"
#include "orthant/search/rows.h"
#include "orthant/search/tile_search.h"
#include "orthant/search/top_lists.h"
#include "tests/support/message_of.h"

namespace orthant::search {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr Metric kMetrics[] = {Metric::cosine, Metric::inner_product, Metric::squared_l2};

Matrix random_matrix(int64_t rows, int64_t cols, double zeros, uint64_t seed) {
  Rng rng(seed);
  Matrix matrix(rows, cols);
  for (float& x : matrix.mutable_values()) {
    const auto value = static_cast<float>(rng.normal());
    x = rng.bernoulli(zeros) ? 0 : value;
  }
  return matrix;
}

// The oracle: every score in double precision, everything sorted.
double naive_score(const Matrix& bank, int64_t row, const Matrix& queries, int64_t query, Metric metric) {
  double dot = 0;
  double a = 0;
  double b = 0;
  double apart = 0;
  for (int64_t j = 0; j < bank.cols(); ++j) {
    const auto x = static_cast<double>(bank(row, j));
    const auto y = static_cast<double>(queries(query, j));
    dot += x * y;
    a += x * x;
    b += y * y;
    apart += (x - y) * (x - y);
  }
  if (metric == Metric::squared_l2) return apart;
  if (metric == Metric::inner_product) return dot;
  return a > 0 && b > 0 ? dot / std::sqrt(a * b) : 0;
}

std::vector<double> naive_scores(const Matrix& bank, const Matrix& queries, int64_t query,
                                 const NeighbourOptions& options) {
  std::vector<double> scores;
  for (int64_t row = 0; row < bank.rows(); ++row) {
    if (options.exclude_self && row == query) continue;
    scores.push_back(naive_score(bank, row, queries, query, options.metric));
  }
  std::ranges::sort(scores);
  if (options.metric != Metric::squared_l2) std::ranges::reverse(scores);
  scores.resize(std::min(scores.size(), static_cast<size_t>(options.k)));
  return scores;
}

void expect_like_naive(const Neighbours& found, const Matrix& bank, const Matrix& queries,
                       const NeighbourOptions& options) {
  ASSERT_EQ(found.queries(), queries.rows());
  for (int64_t q = 0; q < queries.rows(); ++q) {
    const std::vector<double> expected = naive_scores(bank, queries, q, options);
    ASSERT_EQ(found.k(), static_cast<int64_t>(expected.size()));
    for (int64_t n = 0; n < found.k(); ++n) {
      const double want = expected[static_cast<size_t>(n)];
      EXPECT_NEAR(static_cast<double>(found.scores(q, n)), want, 1e-5 * std::max(1.0, std::abs(want)));
      const double own = naive_score(bank, found.indices(q, n), queries, q, options.metric);
      EXPECT_NEAR(static_cast<double>(found.scores(q, n)), own, 1e-6 * std::max(1.0, std::abs(own)));
      EXPECT_FALSE(options.exclude_self && found.indices(q, n) == q);
    }
  }
}

TEST(Neighbours, RanksByCosineAsWorkedOutByHand) {
  const Matrix bank(4, 2, {1, 0, 0, 2, 3, 3, 0, 0});
  const Matrix queries(1, 2, {2, 0});
  const Neighbours found = neighbours(bank, queries, {.k = 4});
  EXPECT_THAT(found.indices.values(), ElementsAre(0, 2, 1, 3));
  EXPECT_THAT(found.scores.values(), ElementsAre(1.0F, testing::FloatEq(std::sqrt(0.5F)), 0.0F, 0.0F));
}

TEST(Neighbours, RanksByInnerProductAndByDistanceAsWorkedOutByHand) {
  const Matrix bank(3, 2, {1, 0, 0, 2, 3, 3});
  const Matrix queries(1, 2, {2, 1});
  const Neighbours products = neighbours(bank, queries, {.k = 3, .metric = Metric::inner_product});
  EXPECT_THAT(products.indices.values(), ElementsAre(2, 0, 1));
  EXPECT_THAT(products.scores.values(), ElementsAre(9.0F, 2.0F, 2.0F));
  const Neighbours distances = neighbours(bank, queries, {.k = 3, .metric = Metric::squared_l2});
  EXPECT_THAT(distances.indices.values(), ElementsAre(0, 1, 2));
  EXPECT_THAT(distances.scores.values(), ElementsAre(2.0F, 5.0F, 5.0F));
}

TEST(Neighbours, RankEqualScoresByLowerIndex) {
  Matrix bank(40, 3);
  for (int64_t i = 0; i < 40; ++i) bank(i, 1) = i == 25 ? 2.0F : 1.0F;
  const Neighbours found = neighbours(bank, bank, {.k = 4, .metric = Metric::inner_product});
  for (int64_t q = 0; q < 40; ++q) EXPECT_THAT(found.indices.row(q), ElementsAre(25, 0, 1, 2));
}

TEST(Neighbours, ExcludeTheQueryByItsIndexNotByItsPlace) {
  const Matrix twins(3, 2, {1, 1, 1, 1, 0, 1});
  const Neighbours found = neighbours(twins, twins, {.k = 5, .exclude_self = true});
  EXPECT_EQ(found.k(), 2);
  EXPECT_THAT(found.indices.values(), ElementsAre(1, 2, 0, 2, 0, 1));
}

TEST(Neighbours, AgreeWithTheNaiveSearchForEveryMetricAndShareOfZeros) {
  for (const double zeros : {0.0, 0.6, 0.9, 0.99}) {
    const Matrix bank = random_matrix(300, 37, zeros, 1);
    const Matrix queries = random_matrix(75, 37, zeros, 2);
    for (const Metric metric : kMetrics) {
      const NeighbourOptions options{.k = 7, .metric = metric, .threads = 2};
      expect_like_naive(neighbours(bank, queries, options), bank, queries, options);
      const NeighbourOptions others{.k = 301, .metric = metric, .exclude_self = true, .threads = 2};
      expect_like_naive(neighbours(bank, bank, others), bank, bank, others);
    }
  }
}

TEST(Neighbours, AreTheSameDenseOrSparseAndForAnyNumberOfThreads) {
  for (const double zeros : {0.0, 0.5, 0.9, 0.98}) {
    const Matrix dense = random_matrix(500, 64, zeros, 3);
    const SparseMatrix sparse = SparseMatrix::from_dense(dense);
    for (const Metric metric : kMetrics) {
      NeighbourOptions options{.k = 9, .metric = metric, .exclude_self = true, .threads = 1};
      const Neighbours expected = neighbours(dense, dense, options);
      for (const int threads : {1, 2, 5}) {
        options.threads = threads;
        for (const Features& bank : {Features(dense), Features(sparse)}) {
          for (const Features& queries : {Features(dense), Features(sparse)}) {
            const Neighbours found = neighbours(bank, queries, options);
            EXPECT_EQ(found.indices, expected.indices);
            EXPECT_EQ(found.scores, expected.scores);
          }
        }
      }
    }
  }
}

// The three ways of searching give the same scores to the bit, also across the borders of parts, blocks and tiles.
TEST(Neighbours, AreTheSameHoweverTheyAreSearched) {
  const Matrix bank = random_matrix(4500, 19, 0.8, 4);
  const Matrix queries = random_matrix(101, 19, 0.8, 5);
  for (const Metric metric : kMetrics) {
    const NeighbourOptions options{.metric = metric};
    const SearchRows rows(bank, options);
    const SearchRows asked(queries, options);
    std::vector<std::vector<Candidate>> all;
    for (const auto search : {&panel_search, &tile_search, &list_search}) {
      TopLists lists(101, 30, false);
      int64_t pairs = 0;
      search(rows, asked, 1, lists, [&](int64_t more) { pairs += more; });
      EXPECT_EQ(pairs, 101 * 4500);
      std::vector<Candidate> candidates;
      for (int64_t q = 0; q < 101; ++q) {
        std::ranges::sort(lists.list(q), [](const Candidate& a, const Candidate& b) { return a.before(b); });
        candidates.insert(candidates.end(), lists.list(q).begin(), lists.list(q).end());
      }
      ASSERT_EQ(candidates.size(), 101U * 30U);
      all.push_back(candidates);
    }
    for (size_t n = 0; n < all[0].size(); ++n) {
      for (size_t way = 1; way < all.size(); ++way) {
        ASSERT_EQ(all[way][n].index, all[0][n].index);
        ASSERT_EQ(all[way][n].score, all[0][n].score);
      }
    }
  }
}

TEST(Neighbours, OfKeptColumnsAreThoseOfTheMatrixWithoutTheOthers) {
  const Matrix features = random_matrix(120, 12, 0.5, 6);
  const std::vector<int64_t> columns = {7, 2, 11, 3};
  Matrix kept(120, 4);
  for (int64_t i = 0; i < 120; ++i) {
    for (int64_t j = 0; j < 4; ++j) kept(i, j) = features(i, std::vector<int64_t>{2, 3, 7, 11}[static_cast<size_t>(j)]);
  }
  for (const Metric metric : kMetrics) {
    const Neighbours expected = neighbours(kept, kept, {.k = 6, .metric = metric});
    const Neighbours found = neighbours(features, features, {.k = 6, .metric = metric, .columns = columns});
    EXPECT_EQ(found.indices, expected.indices);
    EXPECT_EQ(found.scores, expected.scores);
  }
}

TEST(Neighbours, WithoutRenormalisingScoreTheShareOfTheFullCosine) {
  const Matrix bank(2, 2, {3, 4, 5, 0});
  const Matrix queries(1, 2, {0.6F, 0.8F});
  const NeighbourOptions options{.k = 2, .columns = std::vector<int64_t>{0}, .renormalise = false};
  const Neighbours found = neighbours(bank, queries, options);
  EXPECT_THAT(found.indices.values(), ElementsAre(1, 0));
  EXPECT_NEAR(found.scores(0, 0), 0.6, 1e-6);
  EXPECT_NEAR(found.scores(0, 1), 0.36, 1e-6);
  EXPECT_THAT(neighbours(bank, queries, {.k = 2, .columns = std::vector<int64_t>{0}}).scores.values(),
              ElementsAre(1.0F, 1.0F));
}

TEST(Neighbours, WithoutAnyColumnAreTheFirstRows) {
  const Matrix features = random_matrix(30, 3, 0, 7);
  for (const Metric metric : kMetrics) {
    const Neighbours found =
        neighbours(features, features, {.k = 3, .metric = metric, .columns = std::vector<int64_t>{}});
    EXPECT_THAT(found.indices.row(29), ElementsAre(0, 1, 2));
    EXPECT_THAT(found.scores.row(29), ElementsAre(0.0F, 0.0F, 0.0F));
  }
}

TEST(Neighbours, ExistForTheSmallestAndTheEmptyOfInputs) {
  const Matrix one(1, 1, {2});
  EXPECT_THAT(neighbours(one, one).indices.values(), ElementsAre(0));
  EXPECT_EQ(neighbours(one, one, {.exclude_self = true}).k(), 0);
  EXPECT_EQ(neighbours(Matrix(0, 3), Matrix(2, 3)).k(), 0);
  EXPECT_EQ(neighbours(Matrix(2, 3), Matrix(0, 3)).queries(), 0);
  EXPECT_THAT(neighbours(Matrix(2, 0), Matrix(1, 0)).indices.values(), ElementsAre(0, 1));
  EXPECT_THAT(neighbours(SparseMatrix::from_dense(Matrix(3, 2)), Matrix(1, 2)).scores.values(),
              ElementsAre(0.0F, 0.0F, 0.0F));
}

TEST(Neighbours, SurviveVeryLargeAndVerySmallEntries) {
  const Matrix wide(3, 2, {1e30F, 0, 1e-30F, 1e-30F, 0, 1e-40F});
  const Neighbours found = neighbours(wide, wide, {.k = 3});
  EXPECT_THAT(found.indices.row(0), ElementsAre(0, 1, 2));
  EXPECT_NEAR(found.scores(0, 1), std::sqrt(0.5), 1e-6);
}

TEST(Neighbours, TellHowManyQueriesAreDoneAndStopWhenTold) {
  const Matrix features = random_matrix(400, 8, 0, 8);
  int64_t last = 0;
  NeighbourOptions options{.threads = 2};
  options.progress = [&](int64_t done, int64_t total) {
    EXPECT_GE(done, last);
    EXPECT_EQ(total, 400);
    last = done;
  };
  neighbours(features, features, options);
  EXPECT_EQ(last, 400);
  options.progress = [](int64_t, int64_t) { throw std::runtime_error("enough"); };
  EXPECT_THAT(test::message_of([&] { neighbours(features, features, options); }), HasSubstr("enough"));
}

TEST(Neighbours, RejectWhatCannotBeSearched) {
  const Matrix features(3, 2);
  const auto message = [&](const Matrix& queries, const NeighbourOptions& options) {
    return test::message_of([&] { neighbours(features, queries, options); });
  };
  EXPECT_THAT(message(Matrix(1, 3), {}), HasSubstr("[neighbours] expected queries of 2 features, got 3"));
  EXPECT_THAT(message(features, {.k = 0}), HasSubstr("expected k of at least 1, got 0"));
  EXPECT_THAT(message(Matrix(4, 2), {.exclude_self = true}), HasSubstr("at most as many queries as rows"));
  EXPECT_THAT(message(features, {.columns = std::vector<int64_t>{2}}), HasSubstr("columns from 0 to 1, got 2"));
  EXPECT_THAT(message(features, {.columns = std::vector<int64_t>{1, 1}}), HasSubstr("every column once, got 1 twice"));
  EXPECT_THAT(message(Matrix(1, 2, {0, NAN}), {}), HasSubstr("1 NaN or infinite, the first (nan) in row 0, column 1"));
  EXPECT_THAT(message(Matrix(1, 2, {1e30F, 0}), {.metric = Metric::inner_product}), HasSubstr("no longer than 1e+18"));
}

}  // namespace
}  // namespace orthant::search
