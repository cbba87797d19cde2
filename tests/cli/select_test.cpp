#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "orthant/core/importance.h"
#include "orthant/core/rng.h"
#include "orthant/io/embeddings_file.h"
#include "orthant/io/safetensors.h"
#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using test::Finished;
using test::read_bytes;
using test::run_orthant;
using ::testing::HasSubstr;

class Select : public ::testing::Test {
 protected:
  // Columns of rising strength; the label is told by the last three.
  std::string embeddings(const std::string& name, int64_t rows, uint64_t seed) const {
    Embeddings made;
    Matrix x(rows, 12);
    Rng rng(seed);
    for (int64_t i = 0; i < rows; ++i) {
      made.labels.push_back(i % 3);
      for (int64_t j = 0; j < 12; ++j) x(i, j) = 0.01F * static_cast<float>(j + 1) * static_cast<float>(rng.uniform());
      x(i, 9 + i % 3) = 2;
    }
    made.features = std::move(x);
    io::write_embeddings(folder_ / name, made);
    return folder_ / name;
  }

  void expect_one_line(const std::vector<std::string>& words, const std::string& text) const {
    const Finished finished = run_orthant(words);
    EXPECT_EQ(finished.code, 1);
    EXPECT_EQ(std::ranges::count(finished.errors, '\n'), 1) << finished.errors;
    EXPECT_THAT(finished.errors, HasSubstr(text));
  }

  // A run as `pretrain` leaves it, with a projector of 6 -> 4 -> 12.
  std::string run_folder(const std::string& name, const std::string& activation) const {
    const std::string path = folder_ / name;
    std::filesystem::create_directory(path);
    std::vector<float> first(24);
    std::vector<float> last(48);
    std::vector<float> bias(12);
    for (size_t k = 0; k < last.size(); ++k) last[k] = static_cast<float>(k);
    for (size_t k = 0; k < bias.size(); ++k) bias[k] = 100 + static_cast<float>(k);
    const auto tensor = [](const std::vector<float>& values, std::vector<int64_t> shape) {
      return io::Tensor{"F32", std::move(shape), std::as_bytes(std::span(values)), nullptr};
    };
    io::write_safetensors(path + "/model.safetensors",
                          {{"projector.0.weight", tensor(first, {4, 6})},
                           {"projector.2.weight", tensor(last, {12, 4})},
                           {"projector.2.bias", tensor(bias, {12})}},
                          {{"activation.name", activation}, {"projector.out", "12"}, {"backbone.name", "mlp"}});
    test::write_bytes(path + "/run.toml", "[train]\nepochs = 3\n\n[projector]\nhidden = 4\nout = 12   # features\n");
    return path;
  }

  test::TemporaryFolder folder_;
};

TEST_F(Select, KeepsTheFeaturesThatAnotherFileRanksFirst) {
  const std::string test = embeddings("test.safetensors", 30, 1);
  const std::string train = embeddings("train.npz", 60, 2);
  const std::string output = folder_ / "short.safetensors";
  const Finished finished =
      run_orthant({"select", test, "--keep", "3", "--rank-from", train, "-o", output, "--json", "--renormalise"});
  ASSERT_EQ(finished.code, 0) << finished.errors;
  const auto report = nlohmann::json::parse(finished.output);
  EXPECT_EQ(report["kept"], 3);
  EXPECT_EQ(report["of"], 12);
  auto features = report["features"].get<std::vector<int64_t>>();
  std::ranges::sort(features);
  EXPECT_THAT(features, ::testing::ElementsAre(9, 10, 11));
  const Embeddings kept = io::read_embeddings(output);
  EXPECT_EQ(kept.cols(), 3);
  EXPECT_EQ(kept.labels.size(), 30u);
  EXPECT_EQ(kept.how.at("selected_by"), "activation relu");
  expect_one_line({"select", test, "--keep", "3", "-o", output}, "--overwrite replaces it");
}

TEST_F(Select, TakesARunAndLabelsOfAnotherFile) {
  const std::string run = run_folder("run", "relu");
  std::filesystem::create_directory(run + "/embeddings");
  const std::string test = embeddings("run/embeddings/test-projector.safetensors", 30, 1);
  const std::string output = folder_ / "short.safetensors";
  expect_one_line({"select", run, "--keep", "3", "--rank-from", run, "-o", output},
                  "orthant embed " + run + " --split train");
  embeddings("run/embeddings/train-projector.safetensors", 60, 2);
  test::write_bytes(folder_ / "y.txt", [] {
    std::string lines;
    for (int i = 0; i < 30; ++i) lines += i % 2 == 0 ? "cat\n" : "dog\n";
    return lines;
  }());
  const Finished finished =
      run_orthant({"select", run, "--keep", "3", "--rank-from", run, "--labels", folder_ / "y.txt", "-o", output});
  ASSERT_EQ(finished.code, 0) << finished.errors;
  const Embeddings kept = io::read_embeddings(output);
  EXPECT_EQ(kept.cols(), 3);
  EXPECT_THAT(kept.class_names, ::testing::ElementsAre("cat", "dog"));
  EXPECT_EQ(kept.labels[1], 1);
  test::write_bytes(folder_ / "few.txt", "1\n2\n");
  expect_one_line({"select", run, "--keep", "3", "--labels", folder_ / "few.txt", "-o", output, "--overwrite"},
                  "few.txt] expected a label for each of the 30 rows");
}

TEST_F(Select, ByLearnedImportanceNeedsNeitherRowsNorLabelsToRankOn) {
  const std::string test = embeddings("test.safetensors", 30, 1);
  expect_one_line({"select", test, "--keep", "3", "--by", "importance", "-o", folder_ / "x.npz"},
                  "test.safetensors] expected features whose importance was learned, got others; 'orthant pretrain");
  expect_one_line({"select", test, "--sweep", "--by", "importance"}, "expected features whose importance was learned");
  Embeddings ranked = io::read_embeddings(test);
  std::vector<float> importance(12, 0.5F);
  importance[7] = 3;
  importance[2] = 2;
  put_importance(ranked, importance);
  io::write_embeddings(folder_ / "ranked.npz", ranked);
  const Finished finished = run_orthant({"select", folder_ / "ranked.npz", "--keep", "3", "--by", "importance", "-o",
                                         folder_ / "kept.safetensors", "--json"});
  ASSERT_EQ(finished.code, 0) << finished.errors;
  EXPECT_EQ(nlohmann::json::parse(finished.output)["features"], (std::vector<int64_t>{7, 2, 0}));
  const Embeddings kept = io::read_embeddings(folder_ / "kept.safetensors");
  EXPECT_EQ(importance_of(kept), (std::vector<float>{3, 2, 0.5F}));
  EXPECT_EQ(kept.how.at("selected_by"), "importance");
  const Finished swept = run_orthant({"select", folder_ / "ranked.npz", "--sweep", "--keep", "3", "--seeds", "1"});
  ASSERT_EQ(swept.code, 0) << swept.errors;
  EXPECT_THAT(swept.output, HasSubstr("\nimportance             3"));
  EXPECT_THAT(run_orthant({"info", folder_ / "ranked.npz"}).output,
              HasSubstr("importance                             learned"));
  EXPECT_THAT(run_orthant({"measure", folder_ / "ranked.npz"}).output, HasSubstr("importance.effective"));
}

TEST_F(Select, WritesATableThatASpreadsheetOpens) {
  const std::string test = embeddings("test.safetensors", 4, 1);
  const Finished finished = run_orthant({"select", test, "--keep", "2", "--by", "variance", "-o", folder_ / "e.csv"});
  ASSERT_EQ(finished.code, 0) << finished.errors;
  EXPECT_THAT(read_bytes(folder_ / "e.csv"), ::testing::StartsWith("label,f0,f1\n0,"));
}

TEST_F(Select, QuietStillPrintsTheSweep) {
  const std::string test = embeddings("test.safetensors", 30, 1);
  const Finished finished = run_orthant({"select", test, "--sweep", "--keep", "3", "--seeds", "1", "-q"});
  ASSERT_EQ(finished.code, 0) << finished.errors;
  EXPECT_THAT(finished.output, HasSubstr("features by"));
}

TEST_F(Select, SweepIsATableAndADocument) {
  const std::string test = embeddings("test.safetensors", 60, 1);
  const std::string train = embeddings("train.safetensors", 90, 2);
  const std::string output = folder_ / "selection.json";
  const std::vector<std::string> words = {
      "select", test,       "--sweep", "--train", train,    "--keep",       "3,6",      "--seeds",     "2",
      "--by",   "variance", "-o",      output,    "--json", "--definition", "official", "--overwrite", "--quiet"};
  const Finished finished = run_orthant(words);
  ASSERT_EQ(finished.code, 0) << finished.errors;
  const auto document = nlohmann::json::parse(finished.output);
  EXPECT_EQ(document, nlohmann::json::parse(read_bytes(output)));
  EXPECT_EQ(document["format"], "orthant.selection.1");
  const auto& file = document["files"][0];
  ASSERT_EQ(file["points"].size(), 1u + 4 * 2);
  EXPECT_EQ(file["points"][0]["probe"]["mean"], 1.0);
  EXPECT_EQ(file["points"][1]["draws"], 2);
  EXPECT_EQ(file["points"][5]["rank"], "relu");
  EXPECT_EQ(file["points"][5]["kept"], 3);
  EXPECT_EQ(file["points"][5]["knn_accuracy"]["mean"], 1.0);
  EXPECT_EQ(file["official_retrieval"][0]["kept"], 0);

  const Finished table = run_orthant({"select", test, "--sweep", "--keep", "3"});
  ASSERT_EQ(table.code, 0) << table.errors;
  EXPECT_THAT(table.output, HasSubstr("activation relu"));
  EXPECT_THAT(table.output, HasSubstr(" ± "));
}

TEST_F(Select, SweepNamesTheProbesThatDidNotConverge) {
  const std::string test = embeddings("test.safetensors", 60, 1);
  const std::string train = embeddings("train.safetensors", 90, 2);
  std::vector<std::string> words = {"select", test, "--sweep", "--train", train,
                                    "--keep", "3",  "--seeds", "2",       "--json"};
  const Finished whole = run_orthant(words);
  ASSERT_EQ(whole.code, 0) << whole.errors;
  EXPECT_THAT(whole.errors, Not(HasSubstr("converged")));
  words.insert(words.end(), {"--iterations", "1"});
  const Finished cut = run_orthant(words);
  ASSERT_EQ(cut.code, 0) << cut.errors;
  EXPECT_THAT(cut.errors,
              HasSubstr("probes that had not converged: all 12 (1 of 1), random 3 (2 of 2), activation raw 3"));
  for (const auto& point : nlohmann::json::parse(cut.output)["files"][0]["points"]) {
    EXPECT_EQ(point["probe_unconverged"], point["draws"]);
  }
}

TEST_F(Select, ShortensTheLastLayerOfAModel) {
  const std::string test = embeddings("test.safetensors", 30, 1);
  const std::string run = run_folder("run", "rep_relu");
  const std::string shorter = folder_ / "short";
  const Finished finished = run_orthant({"select", test, "--keep", "2", "--apply", run, "-o", shorter, "--json"});
  ASSERT_EQ(finished.code, 0) << finished.errors;
  const auto features = nlohmann::json::parse(finished.output)["features"].get<std::vector<int64_t>>();
  const auto model = io::SafeTensors::open(shorter + "/model.safetensors");
  EXPECT_EQ(model.metadata().at("projector.out"), "2");
  EXPECT_EQ(model.tensor("projector.0.weight").shape, (std::vector<int64_t>{4, 6}));
  EXPECT_EQ(model.tensor("projector.2.weight").shape, (std::vector<int64_t>{2, 4}));
  const auto bias = model.tensor("projector.2.bias").to_floats("bias");
  const auto weight = model.tensor("projector.2.weight").to_floats("weight");
  for (size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(bias[k], 100 + static_cast<float>(features[k]));
    EXPECT_EQ(weight[4 * k], 4 * static_cast<float>(features[k]));
  }
  EXPECT_THAT(read_bytes(shorter + "/run.toml"), HasSubstr("\nout = 2 "));
  const Finished info = run_orthant({"info", shorter, "--json"});
  ASSERT_EQ(info.code, 0) << info.errors;
  EXPECT_EQ(nlohmann::json::parse(info.output)["projector.out"], "2");
  expect_one_line({"select", test, "--keep", "2", "--apply", run, "-o", shorter}, "--overwrite replaces it");
  test::write_bytes(shorter + "/names.json", "{}");
  EXPECT_EQ(run_orthant({"select", test, "--keep", "2", "--apply", run, "-o", shorter, "--overwrite"}).code, 0);
  EXPECT_FALSE(std::filesystem::exists(shorter + "/names.json")) << "names of the features of another model";
}

TEST_F(Select, MistakesAreOneLine) {
  const std::string test = embeddings("test.safetensors", 30, 1);
  const std::string out = folder_ / "x.npy";
  expect_one_line({"select", test, "--keep", "13", "-o", out}, "at least 13 features to keep, got 12");
  expect_one_line({"select", test, "-o", out}, "expected --keep");
  expect_one_line({"select", test, "--keep", "3"}, "expected -o FILE");
  expect_one_line({"select", test, test, "--keep", "3", "-o", out}, "expected one file");
  expect_one_line({"select", test, "--keep", "3", "-o", folder_ / "x.txt"}, "ends with");
  expect_one_line({"select", folder_ / "none", "--keep", "3", "-o", out}, "none");
  expect_one_line({"select", test, test, "--sweep", "--train", test}, "expected a file for each of the 2");
  expect_one_line({"select", test, "--keep", "3", "--apply", folder_ / "none", "-o", folder_ / "r"}, "run folder");
  expect_one_line({"select", test, "--keep", "3", "--apply", run_folder("topk", "topk"), "-o", folder_ / "r"}, "topk");
  const std::string narrow = folder_ / "narrow.safetensors";
  ASSERT_EQ(run_orthant({"select", "--keep", "5", test, "-o", narrow}).code, 0);
  Embeddings foreign = io::read_embeddings(narrow);
  foreign.how.erase("features");
  io::write_embeddings(folder_ / "foreign.npz", foreign);
  expect_one_line(
      {"select", folder_ / "foreign.npz", "--keep", "3", "--apply", run_folder("run", "relu"), "-o", folder_ / "r"},
      "expected a model of 5 features");
  EXPECT_EQ(run_orthant({"select", test, "--by", "size", "--keep", "3", "-o", out}).code, 2);
  EXPECT_FALSE(std::filesystem::exists(out));
}

}  // namespace
}  // namespace orthant
