#include "orthant/naming/concepts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/message_of.h"

namespace orthant::naming {
namespace {

using test::message_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Matrix dense(const Concepts& concepts) {
  const auto* sparse = std::get_if<SparseMatrix>(&concepts.scores);
  return sparse ? sparse->to_dense() : std::get<Matrix>(concepts.scores);
}

TEST(Concepts, AreClassesByName) {
  const Concepts found = label_concepts(std::vector<int64_t>{2, -1, 0}, std::vector<std::string>{"a", "b", "c"});
  EXPECT_THAT(found.names, ElementsAre("a", "c"));
  EXPECT_EQ(dense(found), Matrix(3, 2, {0, 1, 0, 0, 1, 0}));
  EXPECT_THAT(message_of([] { label_concepts(std::vector<int64_t>{-1}, {}); }),
              HasSubstr("expected items with labels"));
}

TEST(Concepts, AreValuesOfFactors) {
  const std::vector<Factor> factors = {{"shape", {0, 1}, {1, 0}}, {"size", {0.5F}, {0, 0}}};
  const Concepts found = factor_concepts(factors, 2);
  EXPECT_THAT(found.names, ElementsAre("shape 0", "shape 1", "size 0.5"));
  EXPECT_EQ(dense(found), Matrix(2, 3, {0, 1, 1, 1, 0, 1}));
  EXPECT_THAT(message_of([] { factor_concepts({}, 2); }), HasSubstr("expected items with factors"));
}

TEST(Concepts, AreWordsOfTexts) {
  const words::WordTable table{.items = 3, .words = {"dog", "red"}, .places = {{0, 2}, {2}}};
  EXPECT_EQ(dense(word_concepts(table)), Matrix(3, 2, {1, 0, 0, 0, 1, 1}));
}

TEST(Concepts, AreCosinesWithNamedVectors) {
  const Matrix items(2, 2, {3, 4, 0, 2});
  const Matrix vectors(2, 2, {5, 0, 0, 1});
  const Concepts found = vector_concepts(items, "i.npy", vectors, {"x", "y"}, "w.npy", "w.txt");
  const Matrix expected(2, 2, {0.6F, 0.8F, 0, 1});
  for (int64_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(dense(found).values()[static_cast<size_t>(i)], expected.values()[static_cast<size_t>(i)], 1e-6);
  }
  const auto refusal = [&](const Matrix& rows, const Matrix& words, const std::vector<std::string>& names) {
    return message_of([&] { vector_concepts(rows, "i.npy", words, names, "w.npy", "w.txt"); });
  };
  EXPECT_THAT(refusal(Matrix(1, 3, {1, 1, 1}), vectors, {"x", "y"}),
              HasSubstr("[w.npy] expected vectors of 3 numbers, as i.npy has, got 2"));
  EXPECT_THAT(refusal(items, vectors, {"x", "x"}), HasSubstr("[w.txt] expected every word once"));
  EXPECT_THAT(refusal(items, vectors, {"x"}), HasSubstr("[w.txt] expected 2 words"));
  EXPECT_THAT(refusal(Matrix(1, 2), vectors, {"x", "y"}), HasSubstr("[i.npy] expected vectors with a direction"));
}

}  // namespace
}  // namespace orthant::naming
