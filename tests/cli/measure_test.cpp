#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "orthant/io/embeddings_file.h"
#include "orthant/io/npy.h"
#include "tests/measure/random_features.h"
#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

Embeddings some_embeddings(int64_t rows = 40) {
  Embeddings embeddings;
  embeddings.features = test::random_features(rows, 6, 0.5, true, 1);
  for (int64_t i = 0; i < rows; ++i) embeddings.labels.push_back(i % 4);
  return embeddings;
}

std::string write_labels(const test::TemporaryFolder& folder, const std::string& name, const std::string& text) {
  test::write_bytes(folder / name, text);
  return folder / name;
}

TEST(MeasureCommand, PrintsOneDocumentWithTheKeysAtTheTop) {
  const test::TemporaryFolder folder;
  io::write_embeddings(folder / "e.safetensors", some_embeddings());
  const auto finished = test::run_orthant({"measure", folder / "e.safetensors", "--json", "-o", folder / "m.json"});
  ASSERT_EQ(finished.code, 0) << finished.errors;
  EXPECT_EQ(finished.errors, "");
  EXPECT_EQ(finished.output, test::read_bytes(folder / "m.json"));
  const auto document = nlohmann::json::parse(finished.output);
  EXPECT_NEAR(document["sparsity"].get<double>(), 0.6, 0.2);
  EXPECT_EQ(document["dead_features"], 1);
  EXPECT_GE(document["class_consistency"]["strong"].get<double>(), 0.25);
  EXPECT_TRUE(document["correlation"]["median"].is_number());
  EXPECT_EQ(document["input"]["classes"], 4);
  EXPECT_THAT(document["skipped"]["sepin"].get<std::string>(), HasSubstr("no second view"));
  EXPECT_EQ(document["measures"][0]["id"], "sparsity/1");
  EXPECT_EQ(document["measures"][0]["parameters"]["threshold"], 1e-5);
}

TEST(MeasureCommand, QuietStillPrintsResults) {
  const test::TemporaryFolder folder;
  io::write_embeddings(folder / "e.safetensors", some_embeddings());
  const auto finished = test::run_orthant({"measure", folder / "e.safetensors", "-q"});
  ASSERT_EQ(finished.code, 0) << finished.errors;
  EXPECT_THAT(finished.output, HasSubstr("sparsity"));
  EXPECT_EQ(finished.errors, "");
}

TEST(MeasureCommand, NamesFilesThatDoNotFitAndNoFunctions) {
  const test::TemporaryFolder folder;
  io::write_embeddings(folder / "e.safetensors", some_embeddings());
  io::write_embeddings(folder / "few.safetensors", some_embeddings(7));
  Embeddings wide = some_embeddings();
  wide.features = test::random_features(40, 9, 0.5, true, 1);
  io::write_embeddings(folder / "wide.safetensors", wide);
  io::write_npy(folder / "f.npy", io::array_from<int64_t>(std::vector<int64_t>(14), {7, 2}));
  const auto errors = [&](const std::string& flag, const std::string& file) {
    return test::run_orthant({"measure", folder / "e.safetensors", flag, folder / file}).errors;
  };
  EXPECT_THAT(errors("--factors", "f.npy"), HasSubstr("/f.npy] expected factors of the 40 rows of "));
  EXPECT_THAT(errors("--compare", "few.safetensors"), HasSubstr("/few.safetensors] expected the 40 items of "));
  EXPECT_THAT(errors("--bank", "wide.safetensors"), HasSubstr("/wide.safetensors] expected 6 features, as "));
}

TEST(MeasureCommand, ClassesOfABankAreTheSameIfTheirNamesAre) {
  const test::TemporaryFolder folder;
  Embeddings rows;
  rows.features = Matrix(2, 2, {1, 0, 0, 1});
  rows.labels = {0, 1};
  rows.class_names = {"cat", "dog"};
  Embeddings bank = rows;
  bank.labels = {1, 0};  // the same items: a cat, then a dog
  bank.class_names = {"dog", "cat"};
  io::write_embeddings(folder / "rows.safetensors", rows);
  io::write_embeddings(folder / "bank.safetensors", bank);
  const std::vector<std::string> words = {"measure",
                                          folder / "rows.safetensors",
                                          "--only",
                                          "knn_accuracy",
                                          "--json",
                                          "--bank",
                                          folder / "bank.safetensors",
                                          "--knn-k",
                                          "1"};
  EXPECT_EQ(nlohmann::json::parse(test::run_orthant(words).output)["knn_accuracy"], 1.0);
  bank.class_names = {"dog", "horse"};
  io::write_embeddings(folder / "bank.safetensors", bank);
  EXPECT_THAT(test::run_orthant(words).errors, AllOf(HasSubstr("/rows.safetensors] expected no classes but those of "),
                                                     HasSubstr("(dog, horse), got 'cat' (of cat, dog)")));
}

TEST(MeasureCommand, PutsSeveralFilesSideBySide) {
  const test::TemporaryFolder folder;
  io::write_embeddings(folder / "cl.safetensors", some_embeddings());
  io::write_embeddings(folder / "ncl.npz", some_embeddings());
  const std::vector<std::string> both = {folder / "cl.safetensors", folder / "ncl.npz"};
  const auto table = test::run_orthant({"measure", both[0], both[1]});
  ASSERT_EQ(table.code, 0) << table.errors;
  EXPECT_THAT(table.output, testing::ContainsRegex("cl +ncl\n"));
  EXPECT_THAT(table.output, testing::ContainsRegex("sparsity +[0-9.]+ % +[0-9.]+ %   entries that are zero\n"));
  EXPECT_THAT(table.output, HasSubstr("   nats; mixture of classes in a feature, lower is better\n"));
  const auto json = test::run_orthant({"measure", both[0], both[1], "--json"});
  EXPECT_EQ(nlohmann::json::parse(json.output)["results"].size(), 2U);
}

TEST(MeasureCommand, TakesLabelsFromTextNamesAndNumPy) {
  const test::TemporaryFolder folder;
  Embeddings embeddings = some_embeddings(8);
  const std::vector<int64_t> numbers = {5, 5, 9, 9, 5, 5, 9, 9};
  embeddings.labels.clear();
  io::write_embeddings(folder / "e.npz", embeddings);
  io::write_npy(folder / "l.npy", io::array_of<int64_t>(numbers, {8}));
  const std::vector<std::string> files = {
      folder / "l.npy", write_labels(folder, "l.txt", "5\n5\n9\n9\n5\n5\n9\n9\n"),
      write_labels(folder, "l.csv", "label\r\n5\r\n5\r\n9\r\n9\r\n5\r\n5\r\n9\r\n9\r\n"),
      write_labels(folder, "names", "cat\ncat\ndog\ndog\ncat\ncat\ndog\ndog")};
  std::vector<double> found;
  for (const std::string& labels : files) {
    const auto finished = test::run_orthant({"measure", folder / "e.npz", "--labels", labels, "--json"});
    ASSERT_EQ(finished.code, 0) << finished.errors;
    found.push_back(nlohmann::json::parse(finished.output)["class_consistency"]["active"]);
  }
  EXPECT_EQ(found, std::vector<double>(4, found[0]));
}

TEST(MeasureCommand, FindsBothViewsInOneFileOrTheSecondInAnother) {
  const test::TemporaryFolder folder;
  const Embeddings first = some_embeddings(20);
  Embeddings second = first;
  second.features = test::random_features(20, 6, 0.5, true, 2);
  Embeddings both = some_embeddings(40);
  auto& joined = std::get<Matrix>(both.features);
  for (int64_t i = 0; i < 20; ++i) {
    std::ranges::copy(std::get<Matrix>(first.features).row(i), joined.mutable_row(i).begin());
    std::ranges::copy(std::get<Matrix>(second.features).row(i), joined.mutable_row(20 + i).begin());
  }
  both.how["views"] = "2";
  Embeddings sparse = both;
  sparse.features = SparseMatrix::from_dense(joined);
  io::write_embeddings(folder / "first.safetensors", first);
  io::write_embeddings(folder / "second.safetensors", second);
  io::write_embeddings(folder / "both.safetensors", both);
  io::write_embeddings(folder / "sparse.safetensors", sparse);
  std::vector<double> found;
  for (const char* views : {"second.safetensors", "both.safetensors", "sparse.safetensors"}) {
    const auto finished = test::run_orthant(
        {"measure", folder / "first.safetensors", "--views", folder / views, "--only", "sepin", "--json"});
    ASSERT_EQ(finished.code, 0) << finished.errors;
    found.push_back(nlohmann::json::parse(finished.output)["sepin"]["all"]);
  }
  EXPECT_NEAR(found[0], found[1], 1e-6);
  EXPECT_NEAR(found[0], found[2], 1e-6);
}

TEST(MeasureCommand, RefusesFeaturesThatAreNotFiniteWithTheirPlace) {
  const test::TemporaryFolder folder;
  Embeddings embeddings = some_embeddings();
  std::get<Matrix>(embeddings.features)(3, 2) = NAN;
  std::get<Matrix>(embeddings.features)(7, 0) = INFINITY;
  io::write_embeddings(folder / "e.safetensors", embeddings);
  const auto finished = test::run_orthant({"measure", folder / "e.safetensors"});
  EXPECT_EQ(finished.code, 1);
  EXPECT_EQ(finished.output, "");
  EXPECT_THAT(finished.errors, HasSubstr("got 2 NaN or infinite, the first (nan) in row 3, column 2\n"));
}

TEST(MeasureCommand, RefusesLabelsThatDoNotFit) {
  const test::TemporaryFolder folder;
  io::write_embeddings(folder / "e.npz", some_embeddings());
  const std::string few = write_labels(folder, "few", "1\n2\n");
  const auto length = test::run_orthant({"measure", folder / "e.npz", "--labels", few});
  EXPECT_EQ(length.code, 1);
  EXPECT_THAT(length.errors, HasSubstr("expected a label for each of the 40 rows"));
  EXPECT_THAT(length.errors, HasSubstr("got 2\n"));
  std::string same;
  for (int i = 0; i < 40; ++i) same += "3\n";
  const auto one = test::run_orthant({"measure", folder / "e.npz", "--labels", write_labels(folder, "one", same)});
  EXPECT_EQ(one.code, 0) << one.errors;
  EXPECT_THAT(one.output, HasSubstr("labels of one class only, 3"));
  const auto empty = test::run_orthant({"measure", folder / "e.npz", "--labels", write_labels(folder, "none", "")});
  EXPECT_EQ(empty.code, 1);
  EXPECT_THAT(empty.errors, HasSubstr("empty file"));
}

TEST(MeasureCommand, WithoutLabelsMeasuresTheRest) {
  const test::TemporaryFolder folder;
  Embeddings embeddings = some_embeddings();
  embeddings.labels.clear();
  io::write_embeddings(folder / "e.npy", embeddings);
  const auto finished = test::run_orthant({"measure", folder / "e.npy"});
  EXPECT_EQ(finished.code, 0) << finished.errors;
  EXPECT_THAT(finished.output, HasSubstr("effective_rank"));
  EXPECT_THAT(finished.output, HasSubstr("skipped class_consistency, class_entropy"));
  EXPECT_THAT(finished.output, HasSubstr("no labels: --labels FILE"));
}

TEST(MeasureCommand, RefusesAFileThatIsCutOff) {
  const test::TemporaryFolder folder;
  io::write_embeddings(folder / "e.npy", some_embeddings());
  io::write_embeddings(folder / "e.safetensors", some_embeddings());
  for (const char* name : {"e.npy", "e.safetensors"}) {
    const std::string bytes = test::read_bytes(folder / name);
    test::write_bytes(folder / name, bytes.substr(0, bytes.size() - 100));
    const auto finished = test::run_orthant({"measure", folder / name});
    EXPECT_EQ(finished.code, 1) << name;
    EXPECT_THAT(finished.errors, StartsWith("orthant: [" + folder / name)) << name;
    EXPECT_EQ(std::ranges::count(finished.errors, '\n'), 1) << finished.errors;
  }
}

TEST(MeasureCommand, SaysWhatToRunForARunWithoutEmbeddings) {
  const test::TemporaryFolder folder;
  const auto finished = test::run_orthant({"measure", folder.path().string()});
  EXPECT_EQ(finished.code, 1);
  EXPECT_THAT(finished.errors, HasSubstr("orthant embed " + folder.path().string() + " --split test"));
}

TEST(MeasureCommand, TellsMisuseFromFailure) {
  const test::TemporaryFolder folder;
  io::write_embeddings(folder / "e.npy", some_embeddings());
  EXPECT_EQ(test::run_orthant({"measure"}).code, 2);
  EXPECT_EQ(test::run_orthant({"measure", folder / "e.npy", "--definition", "mine"}).code, 2);
  EXPECT_EQ(test::run_orthant({"measure", folder / "e.npy", "--only", "sparseness"}).code, 2);
  EXPECT_EQ(test::run_orthant({"measure", folder / "e.npy", "--threshold", "0"}).code, 2);
  const auto missing = test::run_orthant({"measure", folder / "missing.npy"});
  EXPECT_EQ(missing.code, 1);
  const auto banks = test::run_orthant({"measure", folder / "e.npy", folder / "e.npy", "--bank", folder / "e.npy"});
  EXPECT_EQ(banks.code, 1);
  EXPECT_THAT(banks.errors, HasSubstr("[--bank] expected one for each of the 2 embeddings, got 1"));
}

}  // namespace
}  // namespace orthant
