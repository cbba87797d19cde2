#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "orthant/io/embeddings_file.h"
#include "tests/decompose/vectors.h"
#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using ::testing::HasSubstr;

class DecomposeCommand : public ::testing::Test {
 protected:
  DecomposeCommand() {
    write("rows.npy", test::random_vectors(40, 8, 1, 0.3F));
    write("words.npy", test::random_vectors(20, 8, 2));
    std::string text;
    for (const std::string& name : test::numbered(20)) text += name + "\n";
    test::write_bytes(folder_ / "words.txt", text);
  }

  void write(const std::string& name, Matrix vectors) {
    Embeddings embeddings;
    embeddings.features = std::move(vectors);
    io::write_embeddings(folder_ / name, embeddings);
  }

  test::Finished decompose(const std::vector<std::string>& more = {}, const std::string& rows = "rows.npy") {
    std::vector<std::string> words = {"decompose",    folder_ / rows,        "--dictionary", folder_ / "words.npy",
                                      "--vocabulary", folder_ / "words.txt", "-o",           output()};
    words.insert(words.end(), more.begin(), more.end());
    return test::run_orthant(words);
  }

  std::string output() const { return folder_ / "code.safetensors"; }

  void expect_refused(const test::Finished& result, const std::string& words) {
    EXPECT_EQ(result.code, 1);
    EXPECT_THAT(result.errors, HasSubstr(words));
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
    EXPECT_FALSE(std::filesystem::exists(output()));
  }

  test::TemporaryFolder folder_;
};

TEST_F(DecomposeCommand, WritesEmbeddingsWhoseColumnsHaveNames) {
  const auto result = decompose({"--active", "3", "--json"});
  ASSERT_EQ(result.code, 0) << result.errors;
  const auto told = nlohmann::json::parse(result.output);
  EXPECT_EQ(told["active_per_row"], 3.0);
  EXPECT_EQ(told["words"], 20);
  const Embeddings code = io::read_embeddings(output());
  EXPECT_EQ(code.rows(), 40);
  EXPECT_EQ(code.feature_names, test::numbered(20));
  EXPECT_EQ(code.how.at("centred"), "true");
  EXPECT_EQ(test::run_orthant({"measure", output()}).code, 0);
}

TEST_F(DecomposeCommand, TakesOnePenaltyForAllAndTheCentreOfOthers) {
  ASSERT_EQ(decompose({"--lambda", "0.3", "--no-centre"}).code, 0);
  ASSERT_EQ(decompose({"--lambda", "0.3", "--overwrite", "--centre-from", folder_ / "words.npy"}).code, 0);
  EXPECT_EQ(decompose({"--lambda", "0.3", "--active", "3"}).code, 2);
  EXPECT_THAT(decompose({"--not-itself", "--overwrite"}).errors, HasSubstr("[--not-itself] expected rows with ids"));
}

TEST_F(DecomposeCommand, RefusesMoreWordsThanThereAre) {
  expect_refused(decompose({"--active", "21", "--quiet"}), "[--active] expected at most the 20 words of");
}

TEST_F(DecomposeCommand, RefusesBadInputInOneLine) {
  write("wide.npy", test::random_vectors(5, 9, 1));
  expect_refused(decompose({"--quiet"}, "wide.npy"), "words.npy] expected vectors of 9 numbers");
  Matrix zero = test::random_vectors(3, 8, 1);
  for (float& x : zero.mutable_row(1)) x = 0;
  write("zero.npy", std::move(zero));
  expect_refused(decompose({"--quiet"}, "zero.npy"), "zero.npy] expected vectors with a direction, got zeros in row 1");
  test::write_bytes(folder_ / "words.txt", "a\nb\n");
  expect_refused(decompose({"--quiet"}), "words.txt] expected 20 words, one for each row of");
  std::string twice;
  for (int i = 0; i < 20; ++i) twice += "same\n";
  test::write_bytes(folder_ / "words.txt", twice);
  expect_refused(decompose({"--quiet"}), "words.txt] expected every word once, got \"same\" in lines 1 and 2");
}

TEST_F(DecomposeCommand, KeepsWhatIsThere) {
  ASSERT_EQ(decompose().code, 0);
  EXPECT_EQ(decompose().code, 1);
  EXPECT_EQ(decompose({"--overwrite"}).code, 0);
}

}  // namespace
}  // namespace orthant
