#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "orthant/io/embeddings_file.h"
#include "orthant/io/safetensors.h"
#include "orthant/run/run_paths.h"
#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// A run that has learned two classes: what is read of it, without the network.
class LearnedRun {
 public:
  explicit LearnedRun(const std::string& path, bool classifier = true) : run_(path) {
    std::filesystem::create_directories(run_.embeddings_folder());
    test::write_bytes(run_.recipe_file(), "[data]\nsource = \"sprites\"\n");
    const io::Array weights = io::array_from<float>({2, 0, 0, 1}, {2, 2});
    const io::Array bias = io::array_from<float>({0, 0.5F}, {2});
    std::map<std::string, io::Tensor> tensors;
    if (classifier) tensors = {{"fc.weight", io::tensor_of(weights)}, {"fc.bias", io::tensor_of(bias)}};
    io::write_safetensors(run_.model_file(), tensors, {{"notes.layer", "projector"}});
    Embeddings items;
    items.features = Matrix(4, 2, {1, 0, 0, 1, 0.2F, 3, 1, 1});
    items.labels = {0, 1, 0, -1};
    items.class_names = {"crab", "fish"};
    items.ids = {"one", "two", "three", "four"};
    io::write_embeddings(run_.embeddings_file({}), items);
  }

  const std::string& path() const { return run_.path(); }

 private:
  RunPaths run_;
};

TEST(ClassifyCommand, TellsAccuracyMistakesAndWhatCarriesAClass) {
  const test::TemporaryFolder folder;
  const LearnedRun run(folder / "run");
  const auto finished = test::run_orthant({"classify", run.path()});
  ASSERT_EQ(finished.code, 0) << finished.errors;
  EXPECT_THAT(
      finished.output,
      AllOf(HasSubstr("4 items, 2 classes"), HasSubstr("accuracy      66.67 %   of 3 judged items"),
            HasSubstr("a guess 50.00 %, the commonest class always 66.67 %"), HasSubstr("worst class   crab   50.00 %"),
            HasSubstr("crab taken for fish: 1 items, 50.00 %"), HasSubstr("0 (100.0 %)"), HasSubstr("1 (100.0 %)")));
}

TEST(ClassifyCommand, ExplainsItemsByWhatAddsUp) {
  const test::TemporaryFolder folder;
  const LearnedRun run(folder / "run");
  const auto finished =
      test::run_orthant({"classify", run.path(), "--item", "four", "--json", "-o", folder / "c.json"});
  ASSERT_EQ(finished.code, 0) << finished.errors;
  EXPECT_EQ(finished.output, test::read_bytes(folder / "c.json"));
  const auto document = nlohmann::json::parse(finished.output);
  EXPECT_NEAR(document["accuracy"].get<double>(), 2.0 / 3, 1e-12);
  EXPECT_EQ(document["chance"], 0.5);
  EXPECT_EQ(document["worst"], "crab");
  EXPECT_EQ(document["confusion"][0][1], 1);
  EXPECT_EQ(document["predictions"][3]["predicted"], "crab");
  EXPECT_TRUE(document["predictions"][3]["label"].is_null());
  const auto& item = document["explained"][0];
  double sum = item["bias"].get<double>();
  for (const auto& part : item["features"]) sum += part["contribution"].get<double>();
  EXPECT_NEAR(sum, item["score"].get<double>(), 1e-12);
  EXPECT_EQ(item["runner_up"], "fish");
  EXPECT_NEAR(item["runner_up_score"].get<double>(), 1.5, 1e-6);
  const auto table = test::run_orthant({"classify", run.path(), "--item", "two"});
  EXPECT_THAT(table.output,
              AllOf(HasSubstr("two: fish, score 1.5000; next crab, 0.0000"), HasSubstr("bias"), HasSubstr("sum")));
}

TEST(ClassifyCommand, RefusesRunsAndItemsThatCannotBeRead) {
  const test::TemporaryFolder folder;
  const LearnedRun run(folder / "run");
  const LearnedRun plain(folder / "plain", false);
  test::write_bytes(folder / "names.txt", "crab\nfish\n");
  const auto refusal = [](const std::vector<std::string>& words) {
    const auto finished = test::run_orthant(words);
    EXPECT_EQ(finished.code, 1);
    EXPECT_EQ(finished.output, "");
    return finished.errors;
  };
  EXPECT_THAT(refusal({"classify", plain.path()}),
              HasSubstr("expected --names FILE, or a run that has learned classes, got neither"));
  EXPECT_THAT(refusal({"classify", run.path(), "--names", folder / "names.txt"}),
              HasSubstr("expected a run with two towers for --names, one of them of texts"));
  EXPECT_THAT(refusal({"classify", folder / "none"}), HasSubstr("expected a run, got no such folder"));
  EXPECT_THAT(refusal({"classify", run.path(), "--item", "five"}),
              HasSubstr("[--item] expected the id of an item, such as one, got five"));
  EXPECT_THAT(refusal({"classify", run.path(), "--factor", "colour"}),
              HasSubstr("[--factor] expected --names with it, got none"));
  test::write_bytes(folder / "empty.txt", "");
  EXPECT_THAT(refusal({"classify", run.path(), "--names", folder / "empty.txt"}), HasSubstr("got an empty file"));
  test::write_bytes(folder / "c.json", "mine");
  EXPECT_THAT(refusal({"classify", run.path(), "-o", folder / "c.json"}), HasSubstr("--overwrite"));
}

}  // namespace
}  // namespace orthant
