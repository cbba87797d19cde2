#include "orthant/measure/retrieval.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "orthant/core/rng.h"
#include "orthant/io/array.h"
#include "orthant/io/npz.h"
#include "orthant/measure/official_retrieval.h"
#include "tests/support/message_of.h"

namespace orthant::measure {
namespace {

using testing::HasSubstr;
using Labels = std::vector<int64_t>;

class Golden {
 public:
  explicit Golden(const std::string& name)
      : file_(io::Npz::open(ORTHANT_GOLDEN_DIR "/measure/retrieval.npz")),
        name_(name),
        dense_(io::to_matrix(file_.read(name + ".features"), name)),
        sparse_(SparseMatrix::from_dense(dense_)),
        labels_(file_.read(name + ".labels")) {}

  std::vector<Features> features() const { return {dense_, sparse_}; }
  std::span<const int64_t> labels() const { return labels_.as<int64_t>(); }
  std::vector<double> numbers(const std::string& key) const {
    const io::Array array = file_.read(name_ + key);
    return {array.as<double>().begin(), array.as<double>().end()};
  }

 private:
  io::Npz file_;
  std::string name_;
  Matrix dense_;
  SparseMatrix sparse_;
  io::Array labels_;
};

// A search whose first query found rows 0, 1, 2, ... in this order.
search::Neighbours in_order(int32_t k) {
  search::Neighbours found{.indices = DenseMatrix<int32_t>(1, k), .scores = Matrix(1, k)};
  for (int32_t n = 0; n < k; ++n) found.indices(0, n) = n;
  return found;
}

TEST(Retrieval, GivesTheScoresWorkedOutByHand) {
  const Retrieval found = retrieval(in_order(5), Labels{1, 0, 1, 1, 0}, Labels{1}, 4);
  EXPECT_DOUBLE_EQ(found.precision, 3.0 / 4);
  EXPECT_DOUBLE_EQ(found.average_precision, (1.0 + 2.0 / 3 + 3.0 / 4) / 3);
  EXPECT_DOUBLE_EQ(found.recall, 1);
  EXPECT_EQ(found.k, 4);
  EXPECT_DOUBLE_EQ(retrieval(in_order(5), Labels{0, 1, 1, 1, 1}, Labels{1}, 2).average_precision, 0.25);
}

TEST(Retrieval, DividesByKEvenWhereTheBankIsSmaller) {
  const Retrieval found = retrieval(in_order(2), Labels{1, 1}, Labels{1}, 4);
  EXPECT_DOUBLE_EQ(found.precision, 0.5);
  EXPECT_DOUBLE_EQ(found.average_precision, 1);
}

TEST(Retrieval, LeavesOutAndCountsQueriesWithNothingToFind) {
  const Matrix features(4, 2, {1, 0, 1, 0, 0, 1, 0, 1});
  const Retrieval found = retrieval(features, Labels{0, 0, 1, -1}, {.k = 1});
  EXPECT_EQ(found.counted, 2);
  EXPECT_EQ(found.left_out, 2);
  EXPECT_DOUBLE_EQ(found.precision, 1);
  const Retrieval none = retrieval(Matrix(1, 2), Labels{0}, {});
  EXPECT_EQ(none.counted, 0);
  EXPECT_DOUBLE_EQ(none.average_precision, 0);
}

TEST(Retrieval, IsPerfectWithOneClass) {
  const Retrieval found = retrieval(Matrix(20, 3), Labels(20, 4), {});
  EXPECT_DOUBLE_EQ(found.precision, 1);
  EXPECT_DOUBLE_EQ(found.average_precision, 1);
  EXPECT_DOUBLE_EQ(found.recall, 1);
}

TEST(Retrieval, EqualsNumPyDenseAndSparse) {
  for (const std::string name : {"dense", "sparse"}) {
    const Golden golden(name);
    const std::vector<double> expected = golden.numbers(".retrieval");
    for (const Features& features : golden.features()) {
      const Retrieval found = retrieval(features, golden.labels(), {.threads = 2});
      EXPECT_NEAR(found.precision, expected[0], 1e-9);
      EXPECT_NEAR(found.average_precision, expected[1], 1e-9);
      EXPECT_NEAR(found.recall, expected[2], 1e-9);
      EXPECT_EQ(static_cast<double>(found.counted), expected[3]);
    }
  }
}

TEST(Retrieval, RejectsLabelsAndSearchesThatDoNotFit) {
  EXPECT_THAT(test::message_of([] { retrieval(Matrix(3, 2), Labels{0}, {}); }),
              HasSubstr("[retrieval] expected a label for each of 3 rows and 3 queries, got 1 and 1"));
  EXPECT_THAT(test::message_of([] {
                retrieval(in_order(2), Labels{0, 0, 0}, Labels{0}, 3);
              }),
              HasSubstr("expected a search of at least 3 neighbours, got 2"));
  EXPECT_THAT(test::message_of([] {
                retrieval(in_order(2), Labels{0, -5}, Labels{0}, 2);
              }),
              HasSubstr("expected labels from -1 (unknown), got -5"));
}

TEST(OfficialRetrieval, EqualsItsRestatementInNumPy) {
  for (const std::string name : {"dense", "sparse"}) {
    const Golden golden(name);
    const std::vector<double> expected = golden.numbers(".official");
    for (const Features& features : golden.features()) {
      const auto curve = official_retrieval(features, golden.labels(), {.threads = 2});
      ASSERT_EQ(curve.size() * 2, expected.size());
      for (size_t n = 0; n < curve.size(); ++n) {
        EXPECT_EQ(static_cast<double>(curve[n].columns), expected[2 * n]);
        EXPECT_NEAR(curve[n].precision, expected[2 * n + 1], 1e-4) << name << " " << curve[n].columns;
      }
    }
  }
}

// Rows 0 and 1 are equal, so row 1 finds row 0 at place 0 and itself at place 1, where it is skipped.
TEST(OfficialRetrieval, SkipsTheRowAtALaterPlaceAndStillDividesByTen) {
  const Matrix features(3, 2, {1, 0, 1, 0, 0, 1});
  const auto curve = official_retrieval(features, Labels{0, 0, 0}, {.step = 1});
  ASSERT_EQ(curve.size(), 2U);
  EXPECT_DOUBLE_EQ(curve[1].precision, (2 + 1 + 2) / 30.0);
}

TEST(OfficialRetrieval, NeverEvaluatesAllColumnsAndCountsItsWork) {
  int64_t last = 0;
  OfficialRetrievalOptions options{.step = 2};
  options.progress = [&](int64_t done, int64_t total) {
    EXPECT_EQ(total, 5);
    last = done;
  };
  const auto curve = official_retrieval(Matrix(5, 4), Labels(5, 0), options);
  ASSERT_EQ(curve.size(), 2U);
  EXPECT_EQ(curve[1].columns, 2);
  EXPECT_EQ(last, 5);
  EXPECT_TRUE(official_retrieval(Matrix(0, 0), Labels{}).empty());
  EXPECT_THAT(test::message_of([] { official_retrieval(Matrix(2, 1), Labels{1}); }),
              HasSubstr("[official retrieval] expected 2 labels, got 1"));
}

// More rows than a tile, against the definition in double precision.
TEST(OfficialRetrieval, EqualsTheDefinitionAcrossTiles) {
  constexpr int64_t kRows = 1100;
  constexpr int64_t kCols = 7;
  Matrix features(kRows, kCols);
  Labels labels;
  Rng rng(5);
  for (int64_t i = 0; i < kRows; ++i) {
    labels.push_back(i % 3);
    for (int64_t j = 0; j < kCols; ++j) {
      const auto draw = static_cast<float>(rng.uniform());
      features(i, j) = draw < 0.5F ? 0.0F : draw * (1.0F + static_cast<float>(j));
    }
  }
  std::vector<std::vector<double>> unit(kRows, std::vector<double>(kCols));
  std::vector<double> sums(kCols);
  for (int64_t i = 0; i < kRows; ++i) {
    const double norm = std::max(Features(features).row_norm(i), 1e-12);
    for (int64_t j = 0; j < kCols; ++j) {
      unit[static_cast<size_t>(i)][static_cast<size_t>(j)] = features(i, j) / norm;
      sums[static_cast<size_t>(j)] += features(i, j) / norm;
    }
  }
  std::vector<size_t> order(kCols);
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(order, std::ranges::greater(), [&](size_t j) { return sums[j]; });
  const auto curve = official_retrieval(features, labels, {.step = 2, .threads = 2});
  ASSERT_EQ(curve.size(), 4U);
  for (const auto& [kept, precision] : curve) {
    int64_t hits = 0;
    for (size_t q = 0; q < unit.size(); ++q) {
      std::vector<std::pair<double, size_t>> distances;
      for (size_t b = 0; b < unit.size(); ++b) {
        double sum = 0;
        for (size_t r = 0; r < static_cast<size_t>(kept); ++r) {
          sum += std::pow(unit[q][order[r]] - unit[b][order[r]], 2);
        }
        distances.emplace_back(sum, b);
      }
      std::ranges::partial_sort(distances, distances.begin() + 11);
      for (size_t place = 1; place <= 10; ++place) {
        const size_t found = distances[place].second;
        hits += found != q && labels[found] == labels[q] ? 1 : 0;
      }
    }
    EXPECT_NEAR(precision, static_cast<double>(hits) / (10.0 * kRows), 2e-3) << kept;
  }
}

}  // namespace
}  // namespace orthant::measure
