#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "orthant/io/npy.h"
#include "tests/support/program.h"
#include "tests/support/running.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

namespace fs = std::filesystem;
using test::Finished;
using test::read_bytes;
using test::run_orthant;
using test::write_bytes;
using ::testing::HasSubstr;

// A run on labelled vectors of three kinds, once for all tests.
class ProbeCommand : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new test::TemporaryFolder;
    std::vector<float> values;
    std::vector<int64_t> labels;
    for (int i = 0; i < 200 * 6; ++i) {
      values.push_back(static_cast<float>(std::sin(i / 6 % 3 * 6 + i % 6) + 0.3 * std::sin(i * i)));
    }
    for (int64_t i = 0; i < 200; ++i) labels.push_back(i % 3);
    io::write_npy(path("x.npy"), io::array_from<float>(std::move(values), {200, 6}));
    io::write_npy(path("y.npy"), io::array_from<int64_t>(std::move(labels), {200}));
    const Finished made = run_orthant({"pretrain", "--data", data(), "-o", path("run"), "--batch", "20", "--epochs",
                                       "2", "--threads", "1", "--quiet", "--set", "backbone.hidden=16", "--set",
                                       "projector.hidden=16", "--set", "projector.out=12"});
    ASSERT_EQ(made.code, 0) << made.errors;
  }
  static void TearDownTestSuite() { delete std::exchange(folder_, nullptr); }

  static std::string path(const std::string& name) { return *folder_ / name; }
  static std::string data() { return "npy:" + path("x.npy") + "," + path("y.npy"); }
  // Thirty more items as x.npy has them, times `sign`, whose classes 0, 1, 2 are called by the three `lines` that
  // belong to items 2, 0 and 1 of it.
  static std::string other_data(const std::string& name, const std::string& lines, float sign) {
    std::vector<float> values;
    std::string labels;
    for (int i = 0; i < 30 * 6; ++i) {
      const int item = i / 6 + 2;  // begins with class 2
      values.push_back(sign * static_cast<float>(std::sin(item % 3 * 6 + i % 6) + 0.3 * std::sin(i * i + 7)));
    }
    for (int i = 0; i < 10; ++i) labels += lines;
    io::write_npy(path(name + ".npy"), io::array_from<float>(std::move(values), {30, 6}));
    write_bytes(path(name + ".txt"), labels);
    return "npy:" + path(name + ".npy") + "," + path(name + ".txt");
  }
  static std::vector<std::string> words(const std::string& command, const std::string& output,
                                        const std::vector<std::string>& more = {}) {
    std::vector<std::string> all = {command, path("run"), "-o", path(output), "--threads", "1", "--quiet"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  static inline test::TemporaryFolder* folder_ = nullptr;
};

void expect_one_line(const Finished& finished, const std::string& text) {
  EXPECT_EQ(finished.code, 1);
  EXPECT_EQ(std::ranges::count(finished.errors, '\n'), 1) << finished.errors;
  EXPECT_THAT(finished.errors, HasSubstr(text));
}

TEST_F(ProbeCommand, GivesATableOrADocumentAndKeepsIt) {
  const Finished probe = run_orthant(words("probe", "probe", {"--seeds", "2", "--json"}));
  ASSERT_EQ(probe.code, 0) << probe.errors;
  const auto json = nlohmann::json::parse(probe.output);
  EXPECT_GT(json["top1"], 0.6);
  EXPECT_EQ(json["seeds"].size(), 2u);
  EXPECT_EQ(probe.output, read_bytes(path("probe/result.json")));
  EXPECT_TRUE(fs::exists(path("probe/seed-11/classifier.safetensors")));

  write_bytes(path("probe/names.json"), "{}");
  const Finished again = run_orthant(words("probe", "probe", {"--overwrite"}));
  ASSERT_EQ(again.code, 0) << again.errors;
  EXPECT_THAT(again.output, HasSubstr("top-1 %"));
  EXPECT_FALSE(fs::exists(path("probe/seed-11")));
  EXPECT_FALSE(fs::exists(path("probe/names.json"))) << "names of the features of another model";
  expect_one_line(run_orthant(words("probe", "probe")), "--overwrite replaces it");
}

TEST_F(ProbeCommand, StoppedOrKilledItGoesOnToTheSameResult) {
  const std::vector<std::string> settings = {
      "--solver", "lars",  "--epochs",          "20",    "--batch",
      "20",       "--set", "train.log_steps=1", "--set", "train.checkpoint_steps=50"};
  for (const auto& [command, number] : std::map<std::string, int>{{"probe", SIGTERM}, {"finetune", SIGKILL}}) {
    ASSERT_EQ(run_orthant(words(command, command + "-whole", settings)).code, 0);
    const std::string cut = command + "-cut";
    test::Running running(words(command, cut, settings));
    test::wait_for_content(path(cut + "/metrics.jsonl"));
    EXPECT_EQ(running.end(number), 128 + number);
    EXPECT_FALSE(fs::exists(path(cut + "/result.json")));
    const Finished resumed = run_orthant({"resume", path(cut), "--quiet"});
    ASSERT_EQ(resumed.code, 0) << resumed.errors;
    EXPECT_EQ(read_bytes(path(cut + "/result.json")), read_bytes(path(command + "-whole/result.json")));
  }
  const Finished embed = run_orthant({"embed", path("finetune-cut"), "--data", data(), "-o", path("e.npy"), "-q"});
  EXPECT_EQ(embed.code, 0) << embed.errors;
}

TEST_F(ProbeCommand, TestsOnOtherDataToldByTheNamesOfTheirClasses) {
  const std::string turned = other_data("turned", "2\n0\n1\n", 1);
  const std::string far = other_data("far", "2\n0\n1\n", -1);
  for (const char* command : {"probe", "finetune"}) {
    const std::string folder = std::string(command) + "-other";
    const Finished finished =
        run_orthant(words(command, folder, {"--test-data", turned, "--test-data", far, "--epochs", "3"}));
    ASSERT_EQ(finished.code, 0) << finished.errors;
    EXPECT_THAT(finished.output, ::testing::ContainsRegex("data +split +items +classes +top-1 % +drop\n"));
    const auto json = nlohmann::json::parse(read_bytes(path(folder + "/result.json")));
    const auto& near = json["test_data"][turned];
    EXPECT_EQ(near["items"], 30) << "all of it, as it came without a split";
    EXPECT_EQ(near["split"], "all");
    EXPECT_EQ(near["classes"], 3);
    if (std::string(command) == "probe") {  // three epochs of the other teach little
      EXPECT_GT(near["top1"], 0.5);
      EXPECT_LT(json["test_data"][far]["top1"], near["top1"]);
    }
    EXPECT_NEAR(near["drop"], json["top1"].get<double>() - near["top1"].get<double>(), 1e-12);
  }
  expect_one_line(run_orthant(words("probe", "p", {"--test-data", other_data("odd", "2\n0\nhorse\n", 1)})),
                  "odd.npy] expected no classes but those of " + data() + " (0, 1, 2), got 'horse' (of 0, 2, horse)");
  expect_one_line(run_orthant(words("probe", "p", {"--test-data", "sprites"})), "expected no classes but those of");
  EXPECT_FALSE(fs::exists(path("p")));
}

TEST_F(ProbeCommand, MeasuresOtherDataBesideTheRunsOwn) {
  const std::string other = other_data("measured", "2\n0\n1\n", 1);
  const auto measured = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = {"measure", path("run"), "--test-data", other, "--knn-k", "5", "--quiet"};
    all.insert(all.end(), more.begin(), more.end());
    return run_orthant(all);
  };
  const Finished alone = measured({});
  ASSERT_EQ(alone.code, 0) << alone.errors;
  EXPECT_THAT(alone.output, ::testing::ContainsRegex("run +run on npy:measured"));
  EXPECT_THAT(alone.output, HasSubstr("no drop is taken"));
  ASSERT_EQ(run_orthant({"embed", path("run"), "--split", "train", "--quiet"}).code, 0);
  const Finished finished = measured({"--json"});
  ASSERT_EQ(finished.code, 0) << finished.errors;
  const auto results = nlohmann::json::parse(finished.output)["results"];
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(results[0]["input"]["rows"], 20);
  EXPECT_EQ(results[1]["input"]["rows"], 30);
  EXPECT_FALSE(results[0].contains("knn_drop"));
  EXPECT_GT(results[1]["knn_accuracy"], 0.5);
  EXPECT_NEAR(results[1]["knn_drop"],
              results[0]["knn_accuracy"].get<double>() - results[1]["knn_accuracy"].get<double>(), 1e-12);
  const Finished odd = run_orthant({"measure", path("run"), "--test-data", other_data("odd2", "x\n0\n1\n", 1), "-q"});
  EXPECT_EQ(odd.code, 1);
  EXPECT_THAT(odd.errors, HasSubstr("expected no classes but those of"));
  expect_one_line(run_orthant({"measure", path("x.npy"), "--test-data", other}), "expected a run for --test-data");
}

TEST_F(ProbeCommand, EmbedsAllOfForeignDataThatCameUnsplitAndSaysSo) {
  const std::string other = other_data("foreign", "2\n0\n1\n", 1);
  const Finished all = run_orthant({"embed", path("run"), "--data", other, "-o", path("foreign.csv")});
  ASSERT_EQ(all.code, 0) << all.errors;
  EXPECT_THAT(all.errors, HasSubstr("foreign.csv: 30 x 12, "));
  EXPECT_THAT(all.errors, ::testing::ContainsRegex("; all of npy:[^ ]*foreign.npy: 30 items\n"));
  EXPECT_THAT(read_bytes(path("foreign.csv")), ::testing::StartsWith("id,label,f0,f1,"));
  const Finished some = run_orthant({"embed", path("run"), "--data", other, "--split", "test", "-o", path("some.npy")});
  EXPECT_THAT(some.errors, ::testing::ContainsRegex("; test of npy:[^ ]*foreign.npy: 3 of 30 items\n"));
  const Finished own = run_orthant({"embed", path("run"), "-o", path("own.npy")});
  EXPECT_THAT(own.errors, ::testing::ContainsRegex("; test of npy:[^ ]*x.npy: 20 of 200 items\n"));
  expect_one_line(run_orthant({"embed", path("nope")}), "nope] expected a run or a file of weights, got: no such run");
}

TEST_F(ProbeCommand, MistakesAreOneLine) {
  expect_one_line(run_orthant(words("probe", "p", {"--layer", "head"})), "backbone, projector");
  expect_one_line(run_orthant(words("probe", "p", {"--data", "npy:" + path("x.npy")})), "expected labels");
  expect_one_line(run_orthant(words("probe", "p", {"--set", "train.epoch=3"})), "did you mean train.epochs?");
  expect_one_line(run_orthant(words("probe", "p", {"--seeds", "0"})), "[--seeds] expected seeds to be at least 1");
  expect_one_line(run_orthant({"probe", path("nothing"), "-o", path("p")}), "no such run");
  EXPECT_FALSE(fs::exists(path("p")));
  EXPECT_EQ(run_orthant({"probe", path("run")}).code, 2);
}

TEST_F(ProbeCommand, ChangedSettingsAreRefusedUnlessForced) {
  ASSERT_EQ(run_orthant(words("probe", "fixed")).code, 0);
  expect_one_line(run_orthant({"resume", path("fixed"), "--set", "train.l2=0.5"}), "train.l2: 0.0 -> 0.5");
}

}  // namespace
}  // namespace orthant
