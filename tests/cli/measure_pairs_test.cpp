#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "orthant/io/embeddings_file.h"
#include "orthant/run/run_paths.h"
#include "tests/pairing/random_pairs.h"
#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Items "0", "1", ... of four classes, and rows with the ids of the items they belong to.
struct PairFiles {
  PairFiles(const std::string& first, const std::string& second) {
    const test::RandomPairs pairs = test::random_pairs(40, 90, 12, 3);
    Embeddings a;
    a.features = pairs.a;
    for (int64_t i = 0; i < 40; ++i) {
      a.ids.push_back(std::to_string(i));
      a.labels.push_back(i % 4);
    }
    Embeddings b;
    b.features = pairs.b;
    for (const int64_t owner : pairs.owner) b.ids.push_back(std::to_string(owner));
    io::write_embeddings(first, a);
    io::write_embeddings(second, b);
  }
};

TEST(MeasurePairs, OfTwoFilesAreATableBesideChance) {
  const test::TemporaryFolder folder;
  const PairFiles files(folder / "a.safetensors", folder / "b.safetensors");
  const auto finished = test::run_orthant({"measure", folder / "a.safetensors", folder / "b.safetensors", "--pairs"});
  ASSERT_EQ(finished.code, 0) << finished.errors;
  EXPECT_EQ(finished.errors, "");
  EXPECT_THAT(finished.output,
              AllOf(HasSubstr("chance"), HasSubstr("pairs.a_to_b.recall_at_1 "), HasSubstr("pairs.b_to_a.median_rank "),
                    HasSubstr("40 x 12"), HasSubstr("rank of the partner, for half of the rows of b, lower is better"),
                    HasSubstr("pairs.class_consistency.b.strong")));
  EXPECT_THAT(finished.output, testing::Not(HasSubstr("chance.pairs")));
}

TEST(MeasurePairs, AreOneDocument) {
  const test::TemporaryFolder folder;
  const PairFiles files(folder / "a.safetensors", folder / "b.safetensors");
  const auto finished = test::run_orthant(
      {"measure", folder / "a.safetensors", folder / "b.safetensors", "--pairs", "--json", "-o", folder / "m.json"});
  ASSERT_EQ(finished.code, 0) << finished.errors;
  EXPECT_EQ(finished.output, test::read_bytes(folder / "m.json"));
  const auto document = nlohmann::json::parse(finished.output);
  EXPECT_GT(document["pairs"]["a_to_b"]["recall_at_1"].get<double>(), 0.5);
  EXPECT_NEAR(document["chance"]["pairs"]["b_to_a"]["recall_at_10"].get<double>(), 0.25, 1e-9);
  EXPECT_EQ(document["measures"][0]["id"], "pair_recall/1");
  EXPECT_EQ(document["input"]["classes"], 4);
}

TEST(MeasurePairs, RefuseWhatIsNoPair) {
  const test::TemporaryFolder folder;
  const PairFiles files(folder / "a.safetensors", folder / "b.safetensors");
  const auto one = test::run_orthant({"measure", folder / "a.safetensors", "--pairs"});
  EXPECT_EQ(one.code, 1);
  EXPECT_THAT(one.errors, HasSubstr("expected runs with two towers, or two files of embeddings, got 1 that is no run"));
  const auto turned = test::run_orthant({"measure", folder / "b.safetensors", folder / "a.safetensors", "--pairs"});
  EXPECT_EQ(turned.code, 1);
  EXPECT_THAT(turned.errors, HasSubstr("expected each id of the first embeddings once"));
  EXPECT_EQ(test::run_orthant({"measure", folder / "a.safetensors", "--pairs", "--only", "sparsity"}).code, 2);
  const RunPaths run(folder / "run");
  std::filesystem::create_directory(run.path());
  test::write_bytes(run.recipe_file(), "[data]\nsource = \"sprites\"\n");
  const auto single = test::run_orthant({"measure", run.path(), "--pairs"});
  EXPECT_EQ(single.code, 1);
  EXPECT_THAT(single.errors, HasSubstr("expected a run with two towers for --pairs, got one with a single tower"));
}

}  // namespace
}  // namespace orthant
