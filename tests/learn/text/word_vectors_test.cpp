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
  static std::vector<float> row(Model& model, const std::string& word) {
    const at::Tensor values = table(model)[word_id(word, model.options().text)];
    return {values[0].item<float>(), values[1].item<float>()};
  }

  test::TemporaryFolder folder;
};

TEST_F(WordVectorsTest, GoIntoTheRowsOfTheirWordsAndNoOthers) {
  Model network = model();
  const at::Tensor before = table(network).clone();
  EXPECT_EQ(start_from_word_vectors(network, source("dog\ncat\n", {1, 2, 3, 4})), 2);
  EXPECT_EQ(row(network, "dog"), (std::vector<float>{1, 2}));
  EXPECT_EQ(row(network, "cat"), (std::vector<float>{3, 4}));
  EXPECT_EQ((table(network) != before).any(1).sum().item<int64_t>(), 2);
}

TEST_F(WordVectorsTest, OfOneRowAreAveraged) {
  Model network = model(1);
  EXPECT_EQ(start_from_word_vectors(network, source("a\nb\nc\n", {1, 2, 3, 4, 8, 3})), 3);
  EXPECT_EQ(row(network, "a"), (std::vector<float>{4, 3}));
}

TEST_F(WordVectorsTest, OfWhatIsNotOneWordArePassedOver) {
  Model network = model();
  EXPECT_EQ(start_from_word_vectors(network, source("Dog\n,\nu.s.\n\nowl\n", {1, 2, 0, 0, 0, 0, 0, 0, NAN, 1})), 1);
  EXPECT_EQ(row(network, "dog"), (std::vector<float>{1, 2})) << "words are normalised as texts are";
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
