#include "learn/text/word_vectors.h"

#include <gmock/gmock.h>

#include <ATen/ATen.h>

#include <cmath>

#include "orthant/core/error.h"
#include "orthant/io/npy.h"
#include "orthant/text/text_ids.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using test::message_of;
using ::testing::HasSubstr;

class WordVectorsTest : public ::testing::Test {
 protected:
  static Model model(int64_t buckets = 1 << 12) {
    ModelOptions options;
    options.backbone = {.name = "text-bag", .dims = 2, .hidden = 8};
    options.text.buckets = buckets;
    return Model(options, 1);
  }
  std::string source(const std::string& words, const std::vector<float>& vectors, int64_t dims = 2) const {
    test::write_bytes(folder / "w.txt", words);
    io::write_npy(folder / "v.npy", io::array_from<float>(vectors, {std::ssize(vectors) / dims, dims}));
    return "npy:" + (folder / "v.npy") + "," + (folder / "w.txt");
  }
  static at::Tensor table(Model& model) {
    at::Tensor found;
    model.visit_parameters([&](const std::string& name, at::Tensor& tensor) {
      if (name == kWordTable) found = tensor.detach();
    });
    return found;
  }
  static at::Tensor row(Model& model, const std::string& word) {
    return table(model)[word_id(word, model.options().text)];
  }
  // The root of the mean square.
  static double size(const at::Tensor& values) { return values.square().mean().sqrt().item<double>(); }
  static void expect_near(const at::Tensor& got, const std::vector<double>& expected) {
    EXPECT_NEAR(got[0].item<double>(), expected[0], 1e-6);
    EXPECT_NEAR(got[1].item<double>(), expected[1], 1e-6);
  }

  test::TemporaryFolder folder;
};

TEST_F(WordVectorsTest, GoIntoTheRowsOfTheirWordsAndNoOthers) {
  Model network = model();
  const at::Tensor before = table(network).clone();
  EXPECT_EQ(start_from_word_vectors(network, source("dog\ncat\n", {1, 2, 3, 4})), 2);
  const double scale = size(before) / std::sqrt(30.0 / 4);
  expect_near(row(network, "dog"), {scale, 2 * scale});
  expect_near(row(network, "cat"), {3 * scale, 4 * scale});
  EXPECT_EQ((table(network) != before).any(1).sum().item<int64_t>(), 2);
}

TEST_F(WordVectorsTest, OfOneRowAreAveraged) {
  Model network = model(1);
  const double scale = size(table(network)) / std::sqrt(103.0 / 6);
  EXPECT_EQ(start_from_word_vectors(network, source("a\nb\nc\n", {1, 2, 3, 4, 8, 3})), 3);
  expect_near(row(network, "a"), {4 * scale, 3 * scale});
}

TEST_F(WordVectorsTest, OfWhatIsNotOneWordArePassedOver) {
  Model network = model();
  const double scale = size(table(network)) / std::sqrt(5.0 / 8);
  EXPECT_EQ(start_from_word_vectors(network, source("Dog\n,\nu.s.\n\nowl\n", {1, 2, 0, 0, 0, 0, 0, 0, NAN, 1})), 1);
  expect_near(row(network, "dog"), {scale, 2 * scale});  // words are normalised as texts are
}

TEST_F(WordVectorsTest, ThatDoNotFitAreRefusedAndChangeNothing) {
  Model network = model();
  const at::Tensor before = table(network).clone();
  EXPECT_THAT(message_of([&] { start_from_word_vectors(network, "glove.npy"); }),
              HasSubstr("[word vectors] expected npy:FILE.npy,WORDS.txt, got glove.npy"));
  EXPECT_THAT(message_of([&] {
                start_from_word_vectors(network, source("a\n", {1, 2, 3}, 3));
              }),
              HasSubstr("expected vectors of 2 dimensions, as the network has (backbone.dims), got 3"));
  EXPECT_THAT(message_of([&] {
                start_from_word_vectors(network, source("a\nb\n", {1, 2}));
              }),
              HasSubstr("expected 1 words, one for each vector of "));
  EXPECT_THROW(start_from_word_vectors(network, "npy:/nowhere.npy,/nowhere.txt"), IoError);
  ModelOptions other;
  other.backbone = {.name = "mlp", .dims = 2};
  Model mlp(other);
  EXPECT_THAT(message_of([&] {
                start_from_word_vectors(mlp, source("a\n", {1, 2}));
              }),
              HasSubstr("[word vectors] expected a text network, got mlp"));
  EXPECT_TRUE(table(network).equal(before));
}

}  // namespace
}  // namespace orthant
