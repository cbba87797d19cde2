#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orthant/io/csv.h"
#include "orthant/io/embeddings_file.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant::io {
namespace {

using ::testing::ElementsAre;

Embeddings two_items() {
  Embeddings embeddings;
  embeddings.features = Matrix(2, 2, {0.1F, 0, 0, -3e-8F});
  embeddings.labels = {1, -1};
  embeddings.class_names = {"cat", "big \"dog\""};
  embeddings.ids = {"a,b.png", "c.png"};
  embeddings.factors = {{"light", {0.5F, 2}, {1, 0}}};
  return embeddings;
}

TEST(EmbeddingsCsv, HasIdsClassesFactorsAndFeaturesThatReadBackTheSame) {
  const test::TemporaryFolder folder;
  write_embeddings(folder / "e.csv", two_items());
  EXPECT_EQ(test::read_bytes(folder / "e.csv"),
            "id,label,light,f0,f1\n\"a,b.png\",\"big \"\"dog\"\"\",2,0.1,0\nc.png,,0.5,0,-3e-08\n");
  const auto rows = read_csv(folder / "e.csv");
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_THAT(rows[1].cells, ElementsAre("a,b.png", "big \"dog\"", "2", "0.1", "0"));
  EXPECT_EQ(std::stof(rows[2].cells[4]), -3e-8F);
}

TEST(EmbeddingsCsv, OfSparseFeaturesIsThatOfDenseOnes) {
  const test::TemporaryFolder folder;
  Embeddings sparse = two_items();
  sparse.features = SparseMatrix::from_dense(std::get<Matrix>(sparse.features));
  write_embeddings(folder / "dense.csv", two_items());
  write_embeddings(folder / "sparse.csv", sparse);
  EXPECT_EQ(test::read_bytes(folder / "sparse.csv"), test::read_bytes(folder / "dense.csv"));
}

TEST(EmbeddingsCsv, LeavesOutTheColumnsThatAreNotThere) {
  const test::TemporaryFolder folder;
  Embeddings plain;
  plain.features = Matrix(1, 1, {7});
  write_embeddings(folder / "e.csv", plain);
  EXPECT_EQ(test::read_bytes(folder / "e.csv"), "f0\n7\n");
}

TEST(EmbeddingsCsv, CallsFeaturesByTheirNames) {
  const test::TemporaryFolder folder;
  Embeddings named;
  named.features = Matrix(1, 3, {7, 8, 9});
  named.feature_names = {"wheel", "", "a,b"};
  write_embeddings(folder / "e.csv", named);
  EXPECT_EQ(test::read_bytes(folder / "e.csv"), "wheel,f1,\"a,b\"\n7,8,9\n");
}

TEST(EmbeddingsCsv, IsNotReadBack) {
  const test::TemporaryFolder folder;
  write_embeddings(folder / "e.csv", two_items());
  EXPECT_THAT(test::message_of([&] { read_embeddings(folder / "e.csv"); }),
              ::testing::HasSubstr("e.csv] expected embeddings as .safetensors, .npz or .npy, got other content"));
}

}  // namespace
}  // namespace orthant::io
