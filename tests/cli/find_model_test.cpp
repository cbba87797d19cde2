#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "orthant/io/image_file.h"
#include "orthant/sources/open.h"
#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using test::run_orthant;
using testing::HasSubstr;

// A run of one epoch on a built-in data set, and an index of its test split.
class FindByModel : public testing::Test {
 protected:
  void learn(const std::vector<std::string>& more, const std::string& size) {
    std::vector<std::string> words = {"pretrain", "--epochs",  "1", "--batch", "32", "--train-size",
                                      "64",       "--threads", "1", "-o",      run_, "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    const auto trained = run_orthant(words);
    ASSERT_EQ(trained.code, 0) << trained.errors;
    const auto embedded =
        run_orthant({"embed", run_, "--size", size, "-o", folder_ / "x.safetensors", "--threads", "1", "--quiet"});
    ASSERT_EQ(embedded.code, 0) << embedded.errors;
    const auto built = run_orthant({"index", folder_ / "x.safetensors", "-o", index_, "--quiet"});
    ASSERT_EQ(built.code, 0) << built.errors;
  }

  // The best hit: id and score.
  std::pair<std::string, double> best(const std::string& flag, const std::string& what) {
    const auto found = run_orthant({"search", index_, flag, what, "--model", run_, "-k", "1", "--json"});
    EXPECT_EQ(found.code, 0) << found.errors;
    if (found.code != 0) return {};
    const auto hit = nlohmann::json::parse(found.output).at("queries").at(0).at("hits").at(0);
    return {hit.at("id"), hit.at("score")};
  }

  test::TemporaryFolder folder_;
  std::string run_ = folder_ / "run";
  std::string index_ = folder_ / "x.oix";
};

TEST_F(FindByModel, APictureFindsItself) {
  learn({"--data", "sprites", "--backbone", "conv-mini"}, "100");
  const auto pictures = open_dataset("sprites", {.split = "test", .size = 100});
  io::write_png(folder_ / "x.png", pictures->image(17));
  const auto [id, score] = best("--image", folder_ / "x.png");
  EXPECT_EQ(id, "17");
  EXPECT_NEAR(score, 1, 1e-4);

  test::write_bytes(folder_ / "no.png", "no picture");
  const auto refused = run_orthant({"search", index_, "--image", folder_ / "no.png", "--model", run_});
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.errors, HasSubstr("[" + (folder_ / "no.png") + "] expected something that " + run_));
  EXPECT_EQ(std::ranges::count(refused.errors, '\n'), 1) << refused.errors;
  const auto of_texts = run_orthant({"search", index_, "--text", "a red heart", "--model", run_});
  EXPECT_EQ(of_texts.code, 1);
  EXPECT_THAT(of_texts.errors, HasSubstr("expected a run with a model of texts, got none"));
  EXPECT_EQ(run_orthant({"search", index_, "--image", folder_ / "x.png"}).code, 2);
  EXPECT_EQ(run_orthant({"search", index_, "--image", folder_ / "x.png", "--model", folder_ / "none"}).code, 1);
}

TEST_F(FindByModel, ATextFindsItself) {
  learn({"--data", "topics"}, "0");
  const auto texts = open_dataset("topics", {.split = "test"});
  const auto [id, score] = best("--text", texts->texts(3).front());
  EXPECT_EQ(id, "3");
  EXPECT_NEAR(score, 1, 1e-4);
}

}  // namespace
}  // namespace orthant
