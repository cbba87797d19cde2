#include "orthant/decompose/dictionary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/decompose/vectors.h"
#include "tests/support/message_of.h"

namespace orthant::decompose {
namespace {

using test::message_of;
using ::testing::HasSubstr;

std::string refusal(const Matrix& vectors, const std::vector<std::string>& names) {
  return message_of([&] { make_dictionary(vectors, names, "w.npy", "w.txt"); });
}

TEST(Dictionary, HasUnitAtomsAndTheirProducts) {
  for (const bool centre : {false, true}) {
    const Dictionary found =
        make_dictionary(test::random_vectors(30, 5, 2, 1), test::numbered(30), "w.npy", "w.txt", {.centre = centre});
    ASSERT_EQ(found.words(), 30);
    for (int64_t i = 0; i < 30; ++i) {
      EXPECT_NEAR(found.gram(i, i), 1, 1e-5);
      for (int64_t j = 0; j < 30; ++j) {
        double product = 0;
        for (int64_t k = 0; k < 5; ++k) product += static_cast<double>(found.atoms(i, k)) * found.atoms(j, k);
        EXPECT_NEAR(found.gram(i, j), product, 1e-6);
      }
    }
  }
}

TEST(Dictionary, RefusesNamesThatDoNotFit) {
  const Matrix vectors(3, 2, {1, 0, 0, 1, 1, 1});
  EXPECT_EQ(refusal(vectors, {"a", "b"}), "[w.txt] expected 3 words, one for each row of w.npy, got 2");
  EXPECT_EQ(refusal(vectors, {"a", "b", "a"}), "[w.txt] expected every word once, got \"a\" in lines 1 and 3");
  EXPECT_EQ(refusal(vectors, {"a", "", "c"}), "[w.txt] expected a word in every line, got none in line 2");
}

TEST(Dictionary, RefusesWordsWithoutADirection) {
  EXPECT_THAT(refusal(Matrix(2, 2, {1, 0, 0, 0}), {"a", "b"}), HasSubstr("got zeros in row 1"));
  EXPECT_EQ(refusal(Matrix(1, 2, {1, 0}), {"a"}),
            "[w.npy] expected words that differ from their mean, got \"a\" (row 0) equal to it");
}

}  // namespace
}  // namespace orthant::decompose
