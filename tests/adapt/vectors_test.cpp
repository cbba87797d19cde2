#include "orthant/adapt/vectors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "orthant/adapt/material.h"
#include "orthant/adapt/statistics.h"
#include "orthant/io/embeddings_file.h"
#include "orthant/io/npz.h"
#include "tests/adapt/planted.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant::adapt {
namespace {

using ::orthant::test::message_of;
using ::orthant::test::TemporaryFolder;
using ::testing::HasSubstr;

Matrix rows_of(const Vectors& vectors) {
  Matrix rows(vectors.rows(), vectors.dims());
  vectors.read(0, vectors.rows(), rows.mutable_data());
  return rows;
}

AdaptRecipe recipe_for(const std::string& file) { return make_adapt_recipe({{"test", {{"data.embeddings", file}}}}); }

TEST(Vectors, ReadsTheSameRowsFromEveryKindOfFile) {
  const TemporaryFolder folder;
  const Matrix rows = test::plant(50, 7, 4, 1).rows;
  test::write_rows(folder / "a.npy", rows);
  const std::vector<double> doubles(rows.values().begin(), rows.values().end());
  io::write_npy(folder / "b.npy", io::array_of(std::span<const double>(doubles), {50, 7}));
  io::write_npz(folder / "c.npz", {{"features", io::array_of(rows.values(), {50, 7})}});
  Embeddings embeddings;
  embeddings.features = rows;
  embeddings.labels.assign(50, 3);
  embeddings.ids.assign(50, "x");
  io::write_embeddings(folder / "d.safetensors", embeddings);
  for (const char* name : {"a.npy", "b.npy", "c.npz", "d.safetensors"}) {
    const Vectors vectors(folder / name);
    EXPECT_EQ(rows_of(vectors), rows) << name;
    Matrix part(3, 7);
    vectors.read(40, 3, part.mutable_data());
    EXPECT_TRUE(std::ranges::equal(part.row(1), rows.row(41))) << name;
  }
  EXPECT_TRUE(Vectors(folder / "a.npy").streamed());
  EXPECT_TRUE(Vectors(folder / "d.safetensors").streamed());
  EXPECT_EQ(Vectors(folder / "d.safetensors").labels().size(), 50U);
  EXPECT_EQ(Vectors(folder / "d.safetensors").ids().size(), 50U);
}

TEST(Vectors, RefusesFilesThatAreCutOff) {
  const TemporaryFolder folder;
  test::write_rows(folder / "a.npy", test::plant(50, 7, 4, 1).rows);
  const std::string bytes = orthant::test::read_bytes(folder / "a.npy");
  orthant::test::write_bytes(folder / "cut.npy", bytes.substr(0, bytes.size() - 4));
  EXPECT_THAT(message_of([&] { Vectors(folder / "cut.npy"); }), HasSubstr("expected 50 x 7 elements of 4 bytes"));
  EXPECT_THAT(message_of([&] { Vectors(folder / "none.npy"); }), HasSubstr("none.npy"));
}

TEST(VectorStatistics, AreThoseOfADirectSumOnAnyNumberOfThreads) {
  const TemporaryFolder folder;
  const Matrix rows = test::plant(300, 5, 4, 2).rows;
  test::write_rows(folder / "a.npy", rows);
  const Vectors vectors(folder / "a.npy");
  const VectorStatistics found = statistics_of(vectors, false, 1);
  const VectorStatistics again = statistics_of(vectors, false, 3);
  EXPECT_EQ(found.mean, again.mean);
  EXPECT_EQ(found.variance, again.variance);
  double variance = 0;
  for (int64_t j = 0; j < 5; ++j) {
    double mean = 0;
    for (int64_t i = 0; i < 300; ++i) mean += rows(i, j) / 300.0;
    EXPECT_NEAR(found.mean[static_cast<size_t>(j)], mean, 1e-9);
    for (int64_t i = 0; i < 300; ++i) variance += std::pow(rows(i, j) - mean, 2) / 1500.0;
  }
  EXPECT_NEAR(found.variance, variance, 1e-9);
  const VectorStatistics unit = statistics_of(vectors, true, 1);
  double squares = 0;
  for (const double m : unit.mean) squares += m * m;
  EXPECT_NEAR(unit.variance * 5 + squares, 1, 1e-9);
}

TEST(VectorStatistics, NamesRowsThatAreNotFinite) {
  const TemporaryFolder folder;
  Matrix rows = test::plant(100, 5, 4, 2).rows;
  rows(17, 2) = std::numeric_limits<float>::quiet_NaN();
  rows(60, 0) = std::numeric_limits<float>::infinity();
  test::write_rows(folder / "a.npy", rows);
  EXPECT_THAT(message_of([&] { statistics_of(Vectors(folder / "a.npy"), true, 2); }),
              HasSubstr("expected finite vectors, got NaN or infinity in 2 rows, the first of them row 17"));
  test::write_rows(folder / "zeros.npy", Matrix(10, 5));
  EXPECT_THAT(message_of([&] { statistics_of(Vectors(folder / "zeros.npy"), true, 2); }),
              HasSubstr("got zeros in every row"));
  test::write_rows(folder / "same.npy", Matrix(10, 2, std::vector<float>(20, 1.0F)));
  EXPECT_THAT(message_of([&] { statistics_of(Vectors(folder / "same.npy"), true, 2); }),
              HasSubstr("got the same in every row"));
}

TEST(VectorStatistics, CountsRowsOfZeros) {
  const TemporaryFolder folder;
  Matrix rows = test::plant(100, 5, 4, 2).rows;
  for (int64_t j = 0; j < 5; ++j) rows(3, j) = 0;
  test::write_rows(folder / "a.npy", rows);
  EXPECT_EQ(statistics_of(Vectors(folder / "a.npy"), true, 2).zero_rows, 1);
}

TEST(AdaptMaterial, RefusesWhatDoesNotFitTheRows) {
  const TemporaryFolder folder;
  test::write_rows(folder / "a.npy", test::plant(100, 5, 4, 2).rows);
  test::write_rows(folder / "b.npy", test::plant(90, 5, 4, 2).rows);
  orthant::test::write_bytes(folder / "labels.txt", "1\n2\n");
  AdaptRecipe recipe = recipe_for(folder / "a.npy");
  recipe.data.labels = folder / "labels.txt";
  EXPECT_THAT(message_of([&] { open_material(recipe); }), HasSubstr("expected a label for each of the 100 rows"));
  recipe.data.labels.clear();
  recipe.data.ids = folder / "labels.txt";
  EXPECT_THAT(message_of([&] { open_material(recipe); }), HasSubstr("expected an id for each of the 100 rows"));
  recipe.data.ids.clear();
  recipe.data.second = folder / "b.npy";
  EXPECT_THAT(message_of([&] { open_material(recipe); }), HasSubstr("whose row i belongs to row i, got 90"));
  recipe.data.second.clear();
  recipe.objective.contrast = 1;
  recipe.objective.positives = "labels";
  EXPECT_THAT(message_of([&] { open_material(recipe); }),
              HasSubstr("expected labels of at least two classes, got none"));
  const std::vector<int64_t> pairs = {0, 1, 5, 100};
  io::write_npy(folder / "pairs.npy", io::array_of(std::span<const int64_t>(pairs), {2, 2}));
  recipe.objective.positives = folder / "pairs.npy";
  EXPECT_THAT(message_of([&] { open_material(recipe); }), HasSubstr("expected rows from 0 to 99, got 100 in pair 1"));
  recipe.objective.contrast = 0;
  recipe.data.held_out = 99;
  EXPECT_THAT(message_of([&] { open_material(recipe); }), HasSubstr("at least two rows to learn from"));
}

}  // namespace
}  // namespace orthant::adapt
