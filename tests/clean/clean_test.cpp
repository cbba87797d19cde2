#include "orthant/clean/clean.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "orthant/clean/judge.h"
#include "tests/clean/planted.h"
#include "tests/support/message_of.h"

namespace orthant::clean {
namespace {

using test::message_of;
using test::Planted;
using test::planted;
using ::testing::HasSubstr;

std::vector<Suspect> of_kind(const CleanReport& report, Kind kind) {
  std::vector<Suspect> found;
  for (const Suspect& suspect : report.suspects) {
    if (suspect.kind == kind) found.push_back(suspect);
  }
  return found;
}

TEST(Clean, FindsWhatWasPlanted) {
  const Planted made = planted();
  const CleanReport report = find_suspects(made.items, made.items.labels);
  EXPECT_EQ(report.items, 300);
  const auto labels = of_kind(report, Kind::label);
  int64_t right = 0;
  for (const Suspect& suspect : labels) {
    EXPECT_EQ(suspect.label, made.items.labels[static_cast<size_t>(suspect.item)]);
    if (!made.wrong.contains(suspect.item)) continue;
    ++right;
    EXPECT_EQ(suspect.suggested, suspect.item % 3);
    ASSERT_FALSE(suspect.reasons.empty());
    EXPECT_EQ(suspect.reasons.front().feature / 10, suspect.item % 3) << "a feature of the class it should have";
    EXPECT_GT(suspect.likelier, suspect.own);
  }
  EXPECT_GE(right, 9) << "of 10";
  EXPECT_LE(std::ssize(labels), 14);
  EXPECT_GT(report.labels.agreement, 0.9);
  EXPECT_NEAR(report.labels.chance, 1.0 / 3, 0.05);

  const auto copies = of_kind(report, Kind::duplicate);
  ASSERT_GE(copies.size(), 1U);
  EXPECT_LE(copies.size(), 8U) << "three of 300 are as near by chance";
  EXPECT_NEAR(report.distances.duplicates_expected, 3, 0.1);
  EXPECT_EQ(copies[0].item, made.copy);
  EXPECT_EQ(copies[0].other, 5);
  EXPECT_GT(copies[0].score, 0.8);

  const auto outliers = of_kind(report, Kind::outlier);
  ASSERT_EQ(outliers.size(), 1U);
  EXPECT_EQ(outliers[0].item, made.far);
  const auto silent = of_kind(report, Kind::empty);
  ASSERT_EQ(silent.size(), 1U);
  EXPECT_EQ(silent[0].item, made.empty);
  EXPECT_EQ(report.count(Kind::leak), 0);
}

TEST(Clean, SparseAndDenseAndAnyNumberOfThreadsAgree) {
  const Planted made = planted();
  const CleanReport dense = find_suspects(made.items, made.items.labels, {}, {.threads = 1});
  const SparseMatrix sparse = SparseMatrix::from_dense(std::get<Matrix>(made.items.features));
  const CleanReport other = find_suspects(sparse, made.items.labels, {}, {.threads = 2});
  ASSERT_EQ(dense.suspects.size(), other.suspects.size());
  for (size_t k = 0; k < dense.suspects.size(); ++k) {
    EXPECT_EQ(dense.suspects[k].kind, other.suspects[k].kind);
    EXPECT_EQ(dense.suspects[k].item, other.suspects[k].item);
    EXPECT_NEAR(dense.suspects[k].score, other.suspects[k].score, 1e-3);
  }
}

TEST(Clean, LeaksAreItemsOfTheBank) {
  const Planted bank = planted();
  Planted test = planted(60);
  auto& x = std::get<Matrix>(test.items.features);
  const auto& from = std::get<Matrix>(bank.items.features);
  Rng rng(99);
  for (int64_t i = 0; i < 60; ++i) {
    for (int64_t j = 0; j < 40; ++j)
      x(i, j) = i == 7 ? from(33, j) : x(i, j) > 0 ? static_cast<float>(rng.uniform()) : 0;
  }
  const auto leaks = of_kind(find_suspects(test.items, test.items.labels, Features(bank.items)), Kind::leak);
  ASSERT_GE(leaks.size(), 1U);
  EXPECT_EQ(leaks[0].item, 7);
  EXPECT_EQ(leaks[0].other, 33);
  EXPECT_EQ(leaks[0].distance, 0);
}

TEST(Clean, GroupsOfCopiesKeepTheirFirst) {
  Planted made = planted();
  auto& x = std::get<Matrix>(made.items.features);
  for (const int64_t i : {50, 60, 70}) {
    for (int64_t j = 0; j < 40; ++j) x(i, j) = x(20, j);
  }
  const auto found = of_kind(find_suspects(made.items, {}), Kind::duplicate);
  ASSERT_GE(found.size(), 4U);
  std::set<int64_t> surest;
  for (size_t k = 0; k < 3; ++k) {
    surest.insert(found[k].item);
    EXPECT_EQ(found[k].score, 1);
  }
  EXPECT_EQ(surest, (std::set<int64_t>{50, 60, 70}));
  EXPECT_EQ(found[3].item, made.copy);
}

TEST(Clean, VotesAreTheSharesOfLabelledNeighbours) {
  search::Neighbours found;
  found.indices = DenseMatrix<int32_t>(1, 3, {0, 1, 2});
  found.scores = Matrix(1, 3, {0.9F, 0.8F, 0.7F});
  const Matrix shares = votes(std::vector<int64_t>{1, -1, 1}, found, 2, 20);
  EXPECT_NEAR(shares(0, 0), 0.1 / 2.2, 1e-6);
  EXPECT_NEAR(shares(0, 1), 2.1 / 2.2, 1e-6);
  EXPECT_NEAR(votes(std::vector<int64_t>{0, -1, 1}, found, 2, 1)(0, 0), 1.1 / 1.2, 1e-6);
}

TEST(Clean, SaysWhyLabelsWereNotJudged) {
  const Planted made = planted(40);
  EXPECT_EQ(find_suspects(made.items, {}).labels.left_out, "no labels");
  EXPECT_EQ(find_suspects(made.items, std::vector<int64_t>(40, 2)).labels.left_out, "one class alone");
  std::vector<int64_t> few(40, -1);
  few[0] = 0;
  few[1] = 1;
  EXPECT_EQ(find_suspects(made.items, few).labels.left_out, "fewer than 20 labelled items");
}

TEST(Clean, JudgesClassesWithASingleItem) {
  const Planted made = planted(60);
  std::vector<int64_t> labels = made.items.labels;
  labels[9] = 7;
  const CleanReport report = find_suspects(made.items, labels);
  EXPECT_EQ(report.labels.judged, 60);
  for (const Suspect& suspect : report.suspects) EXPECT_TRUE(std::isfinite(suspect.score));
}

TEST(Clean, RefusesWhatDoesNotFit) {
  const Planted made = planted(40);
  EXPECT_THAT(message_of([&] { find_suspects(made.items, std::vector<int64_t>{1}); }),
              HasSubstr("expected a label for each of 40 items, got 1"));
  EXPECT_THAT(message_of([&] { find_suspects(made.items, std::vector<int64_t>(40, -2)); }),
              HasSubstr("expected labels from -1 on"));
  const Matrix narrow(5, 3);
  EXPECT_THAT(message_of([&] { find_suspects(made.items, {}, Features(narrow)); }),
              HasSubstr("expected 40 features in the bank, got 3"));
  EXPECT_THAT(message_of([&] { find_suspects(made.items, {}, Features(Matrix(0, 40))); }),
              HasSubstr("expected items in the bank, got none"));
  EXPECT_THAT(message_of([&] { find_suspects(Matrix(2, 3), {}); }), HasSubstr("expected at least 3 items, got 2"));
  const Matrix bad(3, 1, {1, NAN, 1});
  EXPECT_THAT(message_of([&] { find_suspects(bad, {}); }), HasSubstr("NaN"));
}

}  // namespace
}  // namespace orthant::clean
