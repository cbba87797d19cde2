#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "orthant/disentangle/mig.h"
#include "orthant/disentangle/modularity.h"
#include "orthant/disentangle/mutual_information.h"
#include "tests/disentangle/factor_data.h"
#include "tests/support/message_of.h"

namespace orthant::disentangle {
namespace {

using test::codes_of;
using test::factor_of;
using test::random_factor;
using testing::HasSubstr;

TEST(MutualInformation, AgreesWithScikitLearn) {
  const test::FactorGolden golden;
  const InformationTable table = mutual_information(golden.train, golden.train_factors);
  const auto expected = golden.numbers("information");
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(table.information.values()[i], expected[i], 1e-12) << i;
  const auto entropy = golden.numbers("entropy");
  for (size_t k = 0; k < entropy.size(); ++k) EXPECT_NEAR(table.entropy[k], entropy[k], 1e-12);
}

TEST(MutualInformation, OfACodeThatIsTheFactorIsItsEntropy) {
  const Factor factor = factor_of("f", 2, {0, 1, 0, 1});
  const Matrix codes(4, 2, {0, 5, 3, 5, 0, 5, 3, 5});
  const InformationTable table = mutual_information(codes, std::vector{factor});
  EXPECT_NEAR(table.entropy[0], std::log(2), 1e-15);
  EXPECT_NEAR(table.information(0, 0), std::log(2), 1e-15);
  EXPECT_NEAR(table.joint_entropy(0, 0), std::log(2), 1e-15);
  EXPECT_EQ(table.information(1, 0), 0) << "a constant code knows nothing";
}

TEST(MutualInformation, PutsTheLargestValueIntoTheLastBinAndAnEdgeIntoTheUpperBin) {
  // Two bins between 0 and 2: {0, 0.5} and {1, 2}.
  const Factor factor = factor_of("f", 2, {0, 0, 1, 1});
  const Matrix codes(4, 1, {0, 0.5F, 1, 2});
  EXPECT_NEAR(mutual_information(codes, std::vector{factor}, {.bins = 2}).information(0, 0), std::log(2), 1e-15);
}

TEST(MutualInformation, IsTheSameDenseAndSparseAndForAnyThreads) {
  const std::vector factors = {random_factor("a", 500, 4, 1), random_factor("b", 500, 7, 2)};
  Matrix codes = codes_of(factors, 0.5, 3);
  for (float& x : codes.mutable_values()) x = std::max(x, 0.0F);
  const SparseMatrix sparse = SparseMatrix::from_dense(codes);
  const InformationTable one = mutual_information(codes, factors, {.threads = 1});
  const InformationTable two = mutual_information(sparse, factors, {.threads = 3});
  EXPECT_EQ(one.information, two.information);
  EXPECT_EQ(one.joint_entropy, two.joint_entropy);
}

TEST(MutualInformation, StaysBetweenZeroAndTheEntropyAndIgnoresScaleAndShift) {
  const std::vector factors = {random_factor("a", 400, 4, 4), random_factor("b", 400, 3, 5)};
  const Matrix codes = codes_of(factors, 0.3, 6);
  Matrix moved = codes;
  for (float& x : moved.mutable_values()) x = 4 * x + 16;
  const InformationTable table = mutual_information(codes, factors);
  const InformationTable other = mutual_information(moved, factors);
  for (int64_t i = 0; i < codes.cols(); ++i) {
    for (int64_t k = 0; k < 2; ++k) {
      EXPECT_GE(table.information(i, k), 0);
      EXPECT_LE(table.information(i, k), table.entropy[static_cast<size_t>(k)] + 1e-12);
      EXPECT_NEAR(table.information(i, k), other.information(i, k), 0.01);
    }
  }
}

TEST(MutualInformation, RefusesWhatDoesNotFit) {
  const std::vector factors = {factor_of("size", 2, {0, 1})};
  EXPECT_THAT(test::message_of([&] { mutual_information(Matrix(3, 1), factors); }),
              HasSubstr("[mutual_information] expected 3 values of factor size, got 2"));
  EXPECT_THAT(test::message_of([&] {
                mutual_information(Matrix(2, 1), std::vector{factor_of("size", 1, {0, 1})});
              }),
              HasSubstr("expected classes of factor size from 0 to 1 - 1, got 1"));
  EXPECT_THAT(test::message_of([&] { mutual_information(Matrix(2, 1), factors, {.bins = 1}); }), HasSubstr("bins"));
  EXPECT_THAT(test::message_of([&] {
                mutual_information(Matrix(2, 1, {0, NAN}), factors);
              }),
              HasSubstr("[codes] expected finite features, got nan in row 1, column 0"));
}

TEST(Mig, AgreesWithNumPy) {
  const test::FactorGolden golden;
  const MigScore score = mig(mutual_information(golden.train, golden.train_factors));
  EXPECT_NEAR(score.mig, golden.number("mig"), 1e-12);
  EXPECT_NEAR(score.rmig, golden.number("rmig"), 1e-12);
  EXPECT_NEAR(score.jemmig, golden.number("jemmig"), 1e-12);
}

TEST(Mig, IsOneForOneCodePerFactorAndZeroForTwoCopies) {
  const Factor factor = factor_of("f", 2, {0, 1, 0, 1});
  EXPECT_NEAR(mig(mutual_information(Matrix(4, 1, {0, 1, 0, 1}), std::vector{factor})).mig, 1, 1e-15);
  EXPECT_NEAR(mig(mutual_information(Matrix(4, 2, {0, 0, 1, 2, 0, 0, 1, 2}), std::vector{factor})).mig, 0, 1e-15);
}

TEST(Mig, IsTheGapOfATableByHand) {
  const InformationTable table{.information = Matrix64(3, 2, {0.5, 0.1, 0.2, 0.4, 0.3, 0.4}),
                               .joint_entropy = Matrix64(3, 2, {1, 2, 3, 4, 5, 6}),
                               .entropy = {1.0, 0.8}};
  const MigScore score = mig(table);
  EXPECT_THAT(score.by_factor, testing::ElementsAre(testing::DoubleNear(0.2, 1e-15), 0));
  EXPECT_NEAR(score.rmig, 0.1, 1e-15);
  EXPECT_NEAR(score.jemmig, ((1 - 0.2) + 4) / 2, 1e-15);
}

TEST(Mig, LeavesAConstantFactorOutOfTheMeanAndIsZeroOfNothing) {
  const std::vector factors = {factor_of("f", 2, {0, 1, 0, 1}), factor_of("g", 3, {2, 2, 2, 2})};
  EXPECT_NEAR(mig(mutual_information(Matrix(4, 1, {0, 1, 0, 1}), factors)).mig, 1, 1e-15);
  EXPECT_EQ(mig(mutual_information(Matrix(4, 2), factors)).mig, 0);
  EXPECT_EQ(mig(mutual_information(Matrix(4, 0), factors)).mig, 0);
  EXPECT_EQ(mig(mutual_information(Matrix(1, 2, {1, 2}), std::vector{factor_of("f", 1, {0})})).mig, 0);
}

TEST(Modularity, AgreesWithNumPy) {
  const test::FactorGolden golden;
  const ModularityScore score = modularity(mutual_information(golden.train, golden.train_factors));
  EXPECT_NEAR(score.modularity, golden.number("modularity"), 1e-12);
  EXPECT_EQ(score.informed_codes, 5);
}

TEST(Modularity, IsOneForPureCodesZeroForMixedOnesAndPassesOverDeadOnes) {
  const InformationTable table{
      .information = Matrix64(3, 2, {0.5, 0, 0.3, 0.3, 0, 0}), .joint_entropy = {}, .entropy = {1, 1}};
  const ModularityScore score = modularity(table);
  EXPECT_THAT(score.by_code, testing::ElementsAre(1, 0, 0));
  EXPECT_EQ(score.informed_codes, 2);
  EXPECT_DOUBLE_EQ(score.modularity, 0.5);
  const InformationTable one_factor{.information = Matrix64(1, 1, {0.5}), .joint_entropy = {}, .entropy = {1}};
  EXPECT_EQ(modularity(one_factor).modularity, 1);
  EXPECT_EQ(modularity({.information = Matrix64(2, 2), .joint_entropy = {}, .entropy = {1, 1}}).modularity, 0);
}

}  // namespace
}  // namespace orthant::disentangle
