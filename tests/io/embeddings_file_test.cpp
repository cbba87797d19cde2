#include "orthant/io/embeddings_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orthant/core/error.h"
#include "orthant/core/rng.h"
#include "orthant/io/npy.h"
#include "orthant/io/npz.h"
#include "orthant/io/safetensors.h"
#include "orthant/io/sparse_npz.h"
#include "tests/io/golden.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant::io {
namespace {

using test::golden;
using test::message_of;
using test::read_bytes;
using test::TemporaryFolder;
using test::write_bytes;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Matrix random_matrix(Rng& rng, int64_t rows, int64_t cols) {
  Matrix matrix(rows, cols);
  for (float& value : matrix.mutable_values()) value = rng.bernoulli(0.4) ? static_cast<float>(rng.normal()) : 0.0F;
  return matrix;
}

Embeddings example(bool sparse) {
  Rng rng(9);
  const Matrix dense = random_matrix(rng, 5, 7);
  Embeddings embeddings;
  embeddings.features = dense;
  if (sparse) embeddings.features = SparseMatrix::from_dense(dense);
  embeddings.labels = {0, 1, -1, 1, 0};
  embeddings.class_names = {"cat \"quoted\"", "dög"};
  embeddings.factors = {{"shape", {0, 1, 2}, {0, 1, 2, 0, 1}}, {"scale", {0.5F, 1}, {0, 1, 1, 1, 0}, kLinePeriod}};
  embeddings.ids = {"a/1.png", "", "line\nbreak", "latin\xe9", "last"};
  embeddings.feature_names = {"wheel", "", "\"fur\"", "", "grün", "f, g", ""};
  embeddings.how = {{"model", "runs/x"}, {"activation", "relu"}};
  return embeddings;
}

TEST(EmbeddingsFile, KeepsEverythingInSafetensorsAndNpz) {
  const TemporaryFolder folder;
  for (const bool sparse : {false, true}) {
    for (const std::string file : {"a.safetensors", "a.npz"}) {
      write_embeddings(folder / file, example(sparse));
      EXPECT_EQ(read_embeddings(folder / file), example(sparse)) << file << sparse;
    }
  }
}

TEST(EmbeddingsFile, KeepsFeaturesAloneAndEmptyOnes) {
  const TemporaryFolder folder;
  for (const auto& [rows, cols] : {std::pair{0, 0}, {0, 3}, {3, 0}, {2, 2}}) {
    Rng rng(1);
    Embeddings embeddings;
    embeddings.features = random_matrix(rng, rows, cols);
    for (const std::string file : {"a.safetensors", "a.npz", "a.npy"}) {
      write_embeddings(folder / file, embeddings);
      EXPECT_EQ(read_embeddings(folder / file), embeddings) << file;
    }
    embeddings.features = SparseMatrix::from_dense(std::get<Matrix>(embeddings.features));
    for (const std::string file : {"a.safetensors", "a.npz"}) {
      write_embeddings(folder / file, embeddings);
      EXPECT_EQ(read_embeddings(folder / file), embeddings) << file;
    }
  }
}

TEST(EmbeddingsFile, WritesDenseFeaturesToNpy) {
  const TemporaryFolder folder;
  write_embeddings(folder / "dense.npy", example(false));
  write_embeddings(folder / "sparse.npy", example(true));
  EXPECT_EQ(read_bytes(folder / "dense.npy"), read_bytes(folder / "sparse.npy"));
  EXPECT_EQ(read_npy_matrix(folder / "dense.npy"), std::get<Matrix>(example(false).features));
}

TEST(EmbeddingsFile, GoesByContentNotByName) {
  const TemporaryFolder folder;
  for (const std::string file : {"a.safetensors", "a.npz"}) {
    write_embeddings(folder / file, example(true));
    std::filesystem::rename(folder / file, folder / "a.npy");
    EXPECT_EQ(read_embeddings(folder / "a.npy"), example(true));
  }
}

TEST(EmbeddingsFile, MapsDenseFeatures) {
  const TemporaryFolder folder;
  write_embeddings(folder / "a.safetensors", example(false));
  EXPECT_FALSE(std::get<Matrix>(read_embeddings(folder / "a.safetensors").features).owned());
  EXPECT_FALSE(std::get<Matrix>(read_embeddings(golden("f4.npy")).features).owned());
}

TEST(EmbeddingsFile, WritesSparseNpzThatIsAlsoAPlainSparseMatrix) {
  const TemporaryFolder folder;
  write_embeddings(folder / "a.npz", example(true));
  EXPECT_EQ(read_sparse_npz(folder / "a.npz"), std::get<SparseMatrix>(example(true).features));
}

TEST(EmbeddingsFile, ReadsFilesOfOtherPrograms) {
  EXPECT_EQ(read_embeddings(golden("f8.npy")).cols(), 3);
  const Embeddings named = read_embeddings(golden("stored.npz"));
  EXPECT_EQ(named.cols(), 4);
  EXPECT_THAT(named.labels, ElementsAre(0, 2, 1));
  EXPECT_TRUE(read_embeddings(golden("csr_f4.npz")).sparse());
  EXPECT_EQ(read_embeddings(golden("with_object.npz")).cols(), 3);

  const TemporaryFolder folder;
  const std::vector<uint16_t> half = {0x3c00, 0x4000};
  const auto labels = array_from(std::vector<int32_t>{4}, {1});
  write_safetensors(
      folder / "a.st",
      {{"embedding", Tensor{"F16", {1, 2}, std::as_bytes(std::span(half)), nullptr}}, {"labels", tensor_of(labels)}},
      {{"format", "pt"}});
  const Embeddings other = read_embeddings(folder / "a.st");
  EXPECT_THAT(std::get<Matrix>(other.features).values(), ElementsAre(1.0F, 2.0F));
  EXPECT_THAT(other.labels, ElementsAre(4));
  EXPECT_EQ(other.how.at("format"), "pt");
}

TEST(EmbeddingsFile, RefusesFilesWithoutOneMatrix) {
  EXPECT_THAT(message_of([] { read_embeddings(golden("i4.npy")); }), HasSubstr("expected a 2-D array of float32"));
  EXPECT_THAT(message_of([] { read_embeddings(golden("refused_csc.npz")); }), HasSubstr("tocsr()"));
  EXPECT_THAT(message_of([] { read_embeddings(golden("png_rgb.png")); }), HasSubstr("expected embeddings as"));
  const TemporaryFolder folder;
  const auto a = array_from(std::vector<float>{1}, {1, 1});
  write_npz(folder / "two.npz", {{"a", a}, {"b", a}});
  EXPECT_THAT(message_of([&] { read_embeddings(folder / "two.npz"); }), HasSubstr("got a and 1 more"));
  write_safetensors(folder / "none.st", {});
  EXPECT_THAT(message_of([&] { read_embeddings(folder / "none.st"); }), HasSubstr("got none"));
  write_bytes(folder / "empty", "");
  EXPECT_THAT(message_of([&] { read_embeddings(folder / "empty"); }), HasSubstr("got an empty file"));
}

TEST(EmbeddingsFile, RefusesPartsThatDoNotFit) {
  const TemporaryFolder folder;
  const auto features = array_from(std::vector<float>{1, 2}, {2, 1});
  const auto labels = array_from(std::vector<int64_t>{1, 2, 3}, {3});
  write_npz(folder / "a.npz", {{"features", features}, {"labels", labels}});
  EXPECT_THAT(message_of([&] { read_embeddings(folder / "a.npz"); }), HasSubstr("a.npz] expected 2 labels, got 3"));
  const auto negative = array_from(std::vector<int64_t>{1, -2}, {2});
  write_npz(folder / "a.npz", {{"features", features}, {"labels", negative}});
  EXPECT_THROW(read_embeddings(folder / "a.npz"), IoError);
  Embeddings wrong = example(false);
  wrong.labels.pop_back();
  EXPECT_THROW(write_embeddings(folder / "b.npz", wrong), std::invalid_argument);
  EXPECT_THAT(message_of([&] { write_embeddings(folder / "b.txt", example(false)); }),
              HasSubstr("ends in .safetensors, .npz, .npy or .csv"));
  EXPECT_FALSE(std::filesystem::exists(folder / "b.npz"));
}

TEST(EmbeddingsFile, RefusesEveryTruncationAndSurvivesBitFlips) {
  const TemporaryFolder folder;
  for (const std::string file : {"a.safetensors", "a.npz"}) {
    write_embeddings(folder / file, example(true));
    const std::string whole = read_bytes(folder / file);
    for (size_t length = 0; length < whole.size(); length += 7) {
      std::filesystem::remove(folder / "cut");  // some file systems sync when a file is overwritten
      write_bytes(folder / "cut", whole.substr(0, length));
      EXPECT_THROW(read_embeddings(folder / "cut"), IoError) << file << " " << length;
    }
    for (size_t bit = 0; bit < 8 * whole.size(); bit += 5) {
      std::string flipped = whole;
      flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
      std::filesystem::remove(folder / "flipped");
      write_bytes(folder / "flipped", flipped);
      try {
        read_embeddings(folder / "flipped");
      } catch (const IoError& error) {
        EXPECT_THAT(error.what(), HasSubstr("flipped"));
      }
    }
  }
}

}  // namespace
}  // namespace orthant::io
