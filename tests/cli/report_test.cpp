#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "orthant/core/rng.h"
#include "orthant/io/embeddings_file.h"
#include "orthant/io/npy.h"
#include "tests/measure/random_features.h"
#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using nlohmann::json;
using test::run_orthant;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::StartsWith;

Embeddings some_embeddings(int64_t rows, uint64_t seed = 1) {
  Embeddings embeddings;
  embeddings.features = test::random_features(rows, 6, 0.5, true, seed);
  return embeddings;
}

std::string labels_of(int64_t rows) {
  std::string text;
  for (int64_t i = 0; i < rows; ++i) text += i % 3 == 0 ? "cat\n" : "dog\n";
  return text;
}

json data_of(const std::string& path) {
  const std::string html = test::read_bytes(path);
  const std::string before = R"(<script id="orthant-data" type="application/json">)";
  const size_t begin = html.find(before) + before.size();
  return json::parse(html.substr(begin, html.find("</script>", begin) - begin));
}

TEST(ReportCommand, ShowsEmbeddingsOfAnyOriginWithLabels) {
  const test::TemporaryFolder folder;
  const auto features = std::get<Matrix>(some_embeddings(60).features);
  io::write_npy(folder / "features.npy", io::array_of(features.values(), {60, 6}));
  test::write_bytes(folder / "labels.txt", labels_of(60));
  const auto finished =
      run_orthant({"report", folder / "features.npy", "--labels", folder / "labels.txt", "-o", folder / "report.html"});
  ASSERT_EQ(finished.code, 0) << finished.errors;
  EXPECT_THAT(finished.output, ContainsRegex("report.html: 0\\.[0-9] MB, 1 run, 60 items, no pictures\n"));
  const json overview = data_of(folder / "report.html")["overview"];
  EXPECT_EQ(overview["runs"][0]["name"], "features");
  EXPECT_EQ(overview["data"]["items"], 60);
  EXPECT_EQ(overview["data"]["has_pictures"], false);
  EXPECT_TRUE(overview["runs"][0]["measures"].contains("class_consistency"));
}

TEST(ReportCommand, OneItemIsAReportToo) {
  const test::TemporaryFolder folder;
  const auto features = std::get<Matrix>(some_embeddings(1).features);
  io::write_npy(folder / "one.npy", io::array_of(features.values(), {1, 6}));
  const auto finished = run_orthant({"report", folder / "one.npy", "-o", folder / "one.html"});
  ASSERT_EQ(finished.code, 0) << finished.errors;
  EXPECT_THAT(finished.output, HasSubstr("1 run, 1 item, no pictures\n"));
}

TEST(ReportCommand, ShowsARunFolderThatHasEmbeddings) {
  const test::TemporaryFolder folder;
  const std::string run = folder / "ncl";
  std::filesystem::create_directories(run + "/embeddings");
  test::write_bytes(run + "/run.toml", "[data]\nsource = \"sprites\"\n");
  test::write_bytes(run + "/metrics.jsonl", "{\"kind\":\"epoch\",\"epoch\":1,\"loss\":2.5}\n{\"kind\":\"epo");
  Embeddings embeddings = some_embeddings(30);
  for (int64_t i = 0; i < 30; ++i) embeddings.labels.push_back(i % 2);
  io::write_embeddings(run + "/embeddings/test-projector-30.safetensors", embeddings);
  const auto finished = run_orthant({"report", run, "--size", "30", "--quiet", "-o", run + "/report.html"});
  ASSERT_EQ(finished.code, 0) << finished.errors;
  EXPECT_EQ(finished.output, "");
  const json data = data_of(run + "/report.html");
  EXPECT_EQ(data["overview"]["data"]["spec"], "sprites");
  EXPECT_EQ(data["overview"]["runs"][0]["name"], "ncl");
  EXPECT_EQ(data["overview"]["data"]["has_pictures"], true);
  EXPECT_EQ(data["atlas"]["format"], "png");
}

TEST(ReportCommand, PutsRunsSideBySideWithPictures) {
  const test::TemporaryFolder folder;
  io::write_embeddings(folder / "a.safetensors", some_embeddings(50, 1));
  io::write_embeddings(folder / "b.npz", some_embeddings(50, 2));
  const auto finished = run_orthant({"report", folder / "a.safetensors", folder / "b.npz", "--data", "sprites",
                                     "--size", "50", "-o", folder / "report.html"});
  ASSERT_EQ(finished.code, 0) << finished.errors;
  EXPECT_THAT(finished.output, HasSubstr("2 runs, 50 items, pictures exact\n"));
  const json data = data_of(folder / "report.html");
  EXPECT_TRUE(data["blobs"].contains("atlas.0"));
  EXPECT_TRUE(data["blobs"].contains("r0.compare.r1"));
  EXPECT_EQ(data["overview"]["data"]["picture"]["width"], 32);
  EXPECT_FALSE(data["overview"]["data"]["classes"].empty());
}

TEST(ReportCommand, SaysWhatWasLeftOutToStayBelowTheLimit) {
  const test::TemporaryFolder folder;
  io::write_embeddings(folder / "a.safetensors", some_embeddings(400));
  const auto finished = run_orthant({"report", folder / "a.safetensors", "--data", "sprites", "--size", "400",
                                     "--max-size", "0.6MB", "-o", folder / "report.html"});
  ASSERT_EQ(finished.code, 0) << finished.errors;
  EXPECT_THAT(finished.output, ContainsRegex("0\\.[56] MB, 1 run, [0-9]+ of 400 items, evenly chosen to stay below "
                                             "0.6MB, pictures JPEG [0-9]+\n"));
  EXPECT_LE(std::filesystem::file_size(folder / "report.html"), 600'000U);
}

TEST(ReportCommand, RefusesInOneLineAndLeavesNothingBehind) {
  const test::TemporaryFolder folder;
  io::write_embeddings(folder / "a.safetensors", some_embeddings(40));
  io::write_embeddings(folder / "other.safetensors", some_embeddings(41));
  test::write_bytes(folder / "there.html", "mine");
  test::write_bytes(folder / "short.txt", labels_of(3));
  const std::string a = folder / "a.safetensors";
  const std::string out = folder / "report.html";
  struct Case {
    std::vector<std::string> words;
    int code;
    std::string message;
  };
  const std::vector<Case> cases = {
      {{a}, 2, "--output"},
      {{"-o", out}, 2, "inputs is required"},
      {{a, "-o", out, "--max-size", "large"}, 2, "expected a size such as 30MB, got 'large'"},
      {{a, "-o", out, "--max-size", "0"}, 2, "expected a size such as 30MB, got '0'"},
      {{a, "-o", out, "--max-size", "nan"}, 2, "expected a size such as 30MB, got 'nan'"},
      {{a, "-o", out, "--max-size", "9e99GB"}, 2, "expected a size such as 30MB"},
      {{a, "-o", out, "--max-size", "10kB"}, 1, "allow a larger file"},
      {{a, "-o", folder / "there.html"}, 1, "--overwrite replaces it"},
      {{a, "-o", folder / "no/report.html"}, 1, "no such file or directory"},
      {{folder / "none.npy", "-o", out}, 1, "none.npy"},
      {{a, folder / "other.safetensors", "-o", out}, 1, "41"},
      {{a, "--labels", folder / "short.txt", "-o", out}, 1, "got 3"},
      {{a, "--data", "sprites", "--size", "39", "-o", out}, 1, "39"},
      {{a, "--data", "nothing:here", "-o", out}, 1, "nothing"},
  };
  for (const Case& one : cases) {
    std::vector<std::string> words = {"report"};
    words.insert(words.end(), one.words.begin(), one.words.end());
    const auto finished = run_orthant(words);
    EXPECT_EQ(finished.code, one.code) << one.message << finished.errors;
    EXPECT_THAT(finished.errors, HasSubstr(one.message));
    EXPECT_THAT(finished.errors, StartsWith("orthant: "));
    EXPECT_EQ(std::ranges::count(finished.errors, '\n'), 1) << finished.errors;
    EXPECT_EQ(finished.output, "");
    EXPECT_FALSE(std::filesystem::exists(out));
  }
  EXPECT_EQ(test::read_bytes(folder / "there.html"), "mine");
}

TEST(ReportCommand, ReplacesAFileWhenAskedTo) {
  const test::TemporaryFolder folder;
  io::write_embeddings(folder / "a.safetensors", some_embeddings(10));
  test::write_bytes(folder / "report.html", "old");
  const auto finished =
      run_orthant({"report", folder / "a.safetensors", "-o", folder / "report.html", "--overwrite", "--quiet"});
  EXPECT_EQ(finished.code, 0) << finished.errors;
  EXPECT_THAT(test::read_bytes(folder / "report.html"), StartsWith("<!DOCTYPE html>"));
}

TEST(ReportCommand, AFullDiskIsOneLineAndNoFile) {
  const test::TemporaryFolder folder;
  io::write_embeddings(folder / "a.safetensors", some_embeddings(10));
  const auto finished = run_orthant({"report", folder / "a.safetensors", "-o", folder / "report.html", "--quiet"},
                                    {.file_bytes = 10'000});
  EXPECT_EQ(finished.code, 1);
  EXPECT_EQ(std::ranges::count(finished.errors, '\n'), 1) << finished.errors;
  EXPECT_FALSE(std::filesystem::exists(folder / "report.html"));
}

}  // namespace
}  // namespace orthant
