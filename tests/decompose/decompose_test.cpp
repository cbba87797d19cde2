#include "orthant/decompose/decompose.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "orthant/decompose/centre.h"
#include "orthant/io/npz.h"
#include "tests/decompose/vectors.h"
#include "tests/support/message_of.h"

namespace orthant::decompose {
namespace {

using test::message_of;
using ::testing::HasSubstr;

io::Array golden(const std::string& name) {
  return io::Npz::open(ORTHANT_GOLDEN_DIR "/decompose/lasso.npz").read(name);
}

Matrix dense(const Decomposition& found) {
  const auto* sparse = std::get_if<SparseMatrix>(&found.code);
  return sparse ? sparse->to_dense() : std::get<Matrix>(found.code);
}

Dictionary words_of(const Matrix& vectors, bool centre) {
  return make_dictionary(vectors, test::numbered(vectors.rows()), "w.npy", "w.txt", {.centre = centre});
}

TEST(Decompose, IsScikitLearnsLasso) {
  const Matrix words = io::to_matrix(golden("words"), "words");
  const Matrix rows = io::to_matrix(golden("rows"), "rows");
  for (const bool centre : {false, true}) {
    for (const auto& [lambda, key] : {std::pair(0.1, "0.1"), {0.4, "0.4"}}) {
      DecomposeOptions options{.lambda = lambda};
      if (centre) options.centre = mean_direction(rows, "rows");
      const Matrix code = dense(decompose(rows, words_of(words, centre), "rows", options));
      const io::Array expected = golden("code." + std::string(centre ? "1." : "0.") + key);
      for (int64_t i = 0; i < code.size(); ++i) {
        EXPECT_NEAR(code.values()[static_cast<size_t>(i)], expected.as<double>()[static_cast<size_t>(i)], 2e-5);
      }
    }
  }
}

TEST(Decompose, FindsThePartsThatWerePut) {
  // Words along the axes: a row is its own code, less the penalty, at unit length.
  Matrix words(4, 4);
  for (int64_t i = 0; i < 4; ++i) words(i, i) = 2;
  const Matrix rows(2, 4, {3, 0, 4, 0, 0, 5, 0, 0});
  const Decomposition found = decompose(rows, words_of(words, false), "rows", {.lambda = 0.2});
  const Matrix code = dense(found);
  EXPECT_NEAR(code(0, 0), 0.5, 1e-6);
  EXPECT_NEAR(code(0, 2), 0.7, 1e-6);
  EXPECT_NEAR(code(1, 1), 0.9, 1e-6);
  EXPECT_EQ(found.active, 1.5);
  EXPECT_EQ(found.words_used, 3);
  EXPECT_NEAR(found.cosine, (0.5 * 0.6 + 0.7 * 0.8) / std::sqrt(0.74) / 2 + 0.5, 1e-6);
  EXPECT_NEAR(found.cosine, found.cosine_centred, 1e-7);
}

TEST(Decompose, GivesEveryRowItsWords) {
  const Matrix rows = test::random_vectors(150, 20, 5, 0.5F);
  const Dictionary words = words_of(test::random_vectors(100, 20, 6), true);
  const Decomposition found = decompose(rows, words, "rows", {.active = 5, .centre = mean_direction(rows, "rows")});
  const auto& code = std::get<SparseMatrix>(found.code);
  for (int64_t i = 0; i < 150; ++i) EXPECT_EQ(code.row(i).indices.size(), 5U);
  EXPECT_EQ(found.active, 5);
  EXPECT_GT(found.cosine_centred, 0.5);
  EXPECT_GT(found.cosine, found.cosine_centre);
}

TEST(Decompose, DoesWithoutTheWordThatARowMayNotUse) {
  const Matrix words = test::random_vectors(30, 8, 4);
  std::vector<int32_t> self(30);
  for (size_t i = 0; i < 30; ++i) self[i] = i % 2 == 0 ? static_cast<int32_t>(i) : -1;
  const Matrix code = dense(decompose(words, words_of(words, false), "rows", {.active = 4, .without = self}));
  for (int64_t i = 0; i < 30; ++i) {
    if (i % 2 == 0) {
      EXPECT_EQ(code(i, i), 0);
    } else {
      EXPECT_GT(code(i, i), 0.5);
    }
  }
}

TEST(Decompose, DoesNotDependOnThreadsNorOnHowRowsAreHeld) {
  const Matrix rows = test::random_vectors(200, 10, 7);
  const SparseMatrix sparse = SparseMatrix::from_dense(rows);
  const Dictionary words = words_of(test::random_vectors(50, 10, 8), true);
  const Matrix one = dense(decompose(rows, words, "rows", {.active = 3, .threads = 1}));
  EXPECT_EQ(one, dense(decompose(rows, words, "rows", {.active = 3, .threads = 2})));
  EXPECT_EQ(one, dense(decompose(sparse, words, "rows", {.active = 3})));
}

TEST(Decompose, LeavesARowThatIsTheCentreWithoutWords) {
  const Matrix rows(2, 2, {1, 1, 1, 1});
  const Decomposition found =
      decompose(rows, words_of(test::random_vectors(5, 2, 3), true), "rows", {.centre = mean_direction(rows, "rows")});
  EXPECT_EQ(found.empty_rows, 2);
  EXPECT_NEAR(found.cosine, 1, 1e-6);  // the centre is all there is
}

TEST(Decompose, RefusesWhatDoesNotFit) {
  const Dictionary words = words_of(test::random_vectors(5, 4, 3), true);
  const Matrix rows = test::random_vectors(3, 4, 1);
  const auto refusal = [&](const Matrix& vectors, const DecomposeOptions& options) {
    return message_of([&] { decompose(vectors, words, "v.npy", options); });
  };
  EXPECT_EQ(refusal(test::random_vectors(3, 6, 1), {}),
            "[v.npy] expected vectors of 4 numbers, as the dictionary has, got 6");
  EXPECT_THAT(refusal(rows, {.active = 0}), HasSubstr("expected at least one word for a row, got 0"));
  EXPECT_THAT(refusal(rows, {.lambda = -1}), HasSubstr("expected lambda of 0 or above, got -1"));
  EXPECT_THAT(refusal(rows, {.centre = {1, 2}}), HasSubstr("expected a centre of 4 numbers, got 2"));
  EXPECT_THAT(refusal(Matrix(1, 4), {}), HasSubstr("got zeros in row 0"));
}

}  // namespace
}  // namespace orthant::decompose
