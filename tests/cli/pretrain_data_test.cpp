#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "orthant/core/rng.h"
#include "orthant/io/atomic_file.h"
#include "orthant/io/embeddings_file.h"
#include "orthant/io/image_file.h"
#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

namespace fs = std::filesystem;
using test::Finished;
using test::read_bytes;
using test::run_orthant;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

Image noise(uint64_t seed) {
  Rng rng(seed);
  Image image(16, 16, 3);
  for (uint8_t& pixel : image.pixels) pixel = static_cast<uint8_t>(rng.below(256));
  return image;
}

// A folder of JPEG pictures of noise, and runs of a small network on it.
class PretrainOnPictures : public ::testing::Test {
 protected:
  std::string add(const std::string& name) {
    const std::string path = folder_ / ("pictures/" + name + ".jpg");
    fs::create_directories(fs::path(path).parent_path());
    io::write_file(path, io::encode_jpeg(noise(++count_), 90));
    return path;
  }

  void add_many(const std::string& kind, int count) {
    for (int i = 0; i < count; ++i) add(kind + std::to_string(i));
  }

  Finished pretrain(const std::string& run, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"pretrain",
                                      "--data",
                                      data(),
                                      "-o",
                                      folder_ / run,
                                      "--backbone",
                                      "conv-mini",
                                      "--epochs",
                                      "2",
                                      "--threads",
                                      "1",
                                      "--set",
                                      "backbone.width=8",
                                      "--set",
                                      "projector.hidden=16",
                                      "--set",
                                      "projector.out=12",
                                      "--set",
                                      "views.size=16"};
    words.insert(words.end(), more.begin(), more.end());
    return run_orthant(words);
  }

  std::string data() const { return "folder:" + (folder_ / "pictures"); }

  // Embedded, measured and reported as any other run.
  void expect_usable(const std::string& run) const {
    const std::vector<std::vector<std::string>> commands = {
        {"resume", folder_ / run},
        {"embed", folder_ / run},
        {"measure", folder_ / run},
        {"report", folder_ / run, "-o", folder_ / "page.html", "--overwrite"}};
    for (const auto& words : commands) {
      const Finished finished = run_orthant(words);
      EXPECT_EQ(finished.code, 0) << words.front() << ": " << finished.errors;
    }
  }

  test::TemporaryFolder folder_;
  uint64_t count_ = 0;
};

size_t times(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

void expect_one_line(const Finished& finished, const std::string& text) {
  EXPECT_EQ(finished.code, 1);
  EXPECT_EQ(times(finished.errors, "\n"), 1U) << finished.errors;
  EXPECT_THAT(finished.errors, HasSubstr(text));
}

TEST_F(PretrainOnPictures, TenAreEnoughAndWhatTheyCannotTellIsSaidOnce) {
  add_many("", 10);
  const Finished ten = pretrain("run");
  ASSERT_EQ(ten.code, 0) << ten.errors;
  EXPECT_EQ(times(ten.errors, "a batch of all 9 items instead of 128"), 1U) << ten.errors;
  EXPECT_EQ(times(ten.errors, "not measured: the held-out loss, which takes two held-out items, got 1"), 1U);
  EXPECT_EQ(times(ten.errors, "epoch 2/2"), 1U);
  EXPECT_THAT(ten.errors, AllOf(Not(HasSubstr("k-NN")), Not(HasSubstr("nan")), Not(HasSubstr("held out "))));
  EXPECT_THAT(read_bytes(folder_ / "run/run.toml"), HasSubstr("batch = 9 "));
  expect_usable("run");
  expect_one_line(pretrain("other", {"--batch", "16", "--quiet"}),
                  "expected at least one batch of 16 items, got 9 (train.batch)");
}

TEST_F(PretrainOnPictures, OneClassAndFewOfTwoAreEnough) {
  add_many("a/", 10);
  const Finished one = pretrain("one");
  ASSERT_EQ(one.code, 0) << one.errors;
  EXPECT_EQ(times(one.errors, "not measured: k-NN, which takes two classes, got one"), 1U) << one.errors;
  expect_usable("one");
  add_many("b/", 3);
  const Finished two = pretrain("two");
  ASSERT_EQ(two.code, 0) << two.errors;
  EXPECT_EQ(times(two.errors, "not measured: k-NN, which takes eval.k = 20 training items, got 12"), 1U) << two.errors;
  expect_usable("two");
}

TEST_F(PretrainOnPictures, FewerThanTwoToLearnFromAreRefused) {
  add_many("", 1);
  expect_one_line(pretrain("run", {"--quiet"}), "expected at least 2 items to set some apart for the test, got 1");
  add_many("more", 1);
  expect_one_line(pretrain("run", {"--quiet"}),
                  "expected at least 2 items to tell apart, got 1 in the split train; data.split=all learns from all");
  EXPECT_FALSE(fs::exists(folder_ / "run"));
  const Finished all = pretrain("run", {"--set", "data.split=all"});
  ASSERT_EQ(all.code, 0) << all.errors;
  expect_usable("run");
}

TEST_F(PretrainOnPictures, NeighboursAreToldWithTheirLayerNumberAndK) {
  add_many("a/", 20);
  add_many("b/", 20);
  const Finished run = pretrain("run");
  ASSERT_EQ(run.code, 0) << run.errors;
  EXPECT_THAT(run.errors, HasSubstr(" % (backbone, 36 vote, k 20), zeros "));
  EXPECT_THAT(read_bytes(folder_ / "run/metrics.jsonl"), HasSubstr("\"knn_bank\":36.0,\"knn_k\":20.0"));
}

TEST_F(PretrainOnPictures, DamagedOnesAreLeftOutAndToldOrRefused) {
  add_many("", 20);
  std::string bytes = read_bytes(add("damaged"));
  for (size_t i = bytes.size() / 2; i < bytes.size() / 2 + 40; ++i) bytes[i] = '\xff';
  test::write_bytes(folder_ / "pictures/damaged.jpg", bytes);
  bytes = read_bytes(add("cut"));
  test::write_bytes(folder_ / "pictures/cut.jpg", bytes.substr(0, bytes.size() / 2));
  test::write_bytes(folder_ / "pictures/empty.jpg", "");
  test::write_bytes(folder_ / "pictures/moving.gif", "GIF89a");
  const auto told = AllOf(HasSubstr("3 files left out because they cannot be used; the first: "),
                          HasSubstr("passed over, of kinds that are not read: 1 .gif"));
  const Finished run = pretrain("run");
  ASSERT_EQ(run.code, 0) << run.errors;
  EXPECT_THAT(run.errors, told);
  EXPECT_THAT(run.errors, HasSubstr("a batch of all 18 items"));
  const Finished embed = run_orthant({"embed", folder_ / "run", "--split", "all", "-o", folder_ / "e.safetensors"});
  ASSERT_EQ(embed.code, 0) << embed.errors;
  EXPECT_THAT(embed.errors, told);
  EXPECT_EQ(io::read_embeddings(folder_ / "e.safetensors").rows(), 20);

  const std::string refused = "expected nothing but readable pictures, got 3";
  expect_one_line(pretrain("strict", {"--strict"}), refused);
  expect_one_line(run_orthant({"embed", folder_ / "run", "--strict", "-o", folder_ / "f.npy"}), refused);
}

}  // namespace
}  // namespace orthant
