#include "orthant/disentangle/dependence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/disentangle/factor_data.h"
#include "tests/support/message_of.h"

namespace orthant::disentangle {
namespace {

// Five of the first make one of the second, as CIFAR-100's fine and coarse classes.
Factor coarse_of(const Factor& fine) {
  std::vector<int32_t> classes;
  for (const int32_t c : fine.classes) classes.push_back(c / 5);
  return test::factor_of("coarse", 20, std::move(classes));
}

TEST(Dependence, IsOneWhereOneFactorDeterminesTheOther) {
  for (const int64_t items : {300, 3000}) {
    const Factor fine = test::random_factor("fine", items, 100, 1);
    const Factor coarse = coarse_of(fine);
    EXPECT_NEAR(dependence(fine, coarse), 1, 1e-9);
    EXPECT_NEAR(dependence(coarse, fine), 1, 1e-9);
    EXPECT_NEAR(dependence(fine, fine), 1, 1e-9);
  }
}

TEST(Dependence, IsNearZeroBetweenIndependentFactorsHoweverFewTheItems) {
  for (const int64_t items : {50, 300, 3000}) {
    for (uint64_t seed = 1; seed < 6; ++seed) {
      const Factor a = test::random_factor("a", items, 32, seed);
      const Factor b = test::random_factor("b", items, 32, seed + 100);
      EXPECT_LT(dependence(a, b), 0.25) << items << " items, seed " << seed;
    }
  }
}

TEST(Dependence, RisesWithTheShareOfItemsThatAgree) {
  const Factor a = test::random_factor("a", 2000, 8, 1);
  double last = 0;
  for (const size_t agreeing : {500U, 1000U, 1500U, 2000U}) {
    Factor b = test::random_factor("b", 2000, 8, 2);
    for (size_t i = 0; i < agreeing; ++i) b.classes[i] = a.classes[i];
    EXPECT_GT(dependence(a, b), last);
    last = dependence(a, b);
  }
}

TEST(Dependence, OfConstantsAndOfItemsThatTellNothingIsZero) {
  const Factor constant = test::factor_of("constant", 2, std::vector<int32_t>(10, 1));
  const Factor other = test::random_factor("other", 10, 3, 1);
  EXPECT_EQ(dependence(constant, other), 0);
  const Factor each = test::factor_of("each", 4, {0, 1, 2, 3});
  EXPECT_EQ(dependence(each, test::factor_of("half", 2, {0, 0, 1, 1})), 0) << "chance looks the same";
}

TEST(MostDependent, NamesThePairAboveTheLimitOnly) {
  const Factor fine = test::random_factor("fine", 20'000, 100, 1);
  const std::vector<Factor> factors = {test::random_factor("light", 20'000, 4, 2), fine, coarse_of(fine)};
  const auto found = most_dependent(factors);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->first, "fine");
  EXPECT_EQ(found->second, "coarse");
  EXPECT_NEAR(found->dependence, 1, 1e-9);
  EXPECT_FALSE(most_dependent(std::span(factors).first(2)).has_value());
  EXPECT_FALSE(most_dependent({}).has_value());
}

TEST(MostDependent, RefusesFactorsOfOtherItems) {
  const std::vector<Factor> factors = {test::random_factor("a", 5, 2, 1), test::random_factor("b", 4, 2, 1)};
  EXPECT_EQ(test::message_of([&] { most_dependent(factors); }),
            "[factors] expected as many items of b as of a (5), got 4");
}

}  // namespace
}  // namespace orthant::disentangle
