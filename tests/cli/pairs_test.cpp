#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "orthant/io/embeddings_file.h"
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
using ::testing::HasSubstr;

// Two towers on small vectors that take a moment.
class Pairs : public ::testing::Test {
 protected:
  Pairs() {
    write(a_, 200, 6, 0.7);
    write(b_, 200, 4, 1.9);
  }

  // Item i is made of the same two numbers in both, each in a way of its own.
  static void write(const std::string& path, int64_t items, int64_t dims, double phase) {
    std::vector<float> values;
    for (int64_t i = 0; i < items; ++i) {
      const double x = std::sin(2.4 * static_cast<double>(i));
      const double y = std::cos(1.1 * static_cast<double>(i));
      for (int64_t j = 1; j <= dims; ++j) {
        const double angle = phase * static_cast<double>(j);
        values.push_back(static_cast<float>(x * std::sin(angle) + y * std::cos(angle + 1)));
      }
    }
    io::write_npy(path, io::array_from<float>(std::move(values), {items, dims}));
  }

  std::vector<std::string> words(const std::string& run, const std::vector<std::string>& more = {},
                                 const std::string& epochs = "3") const {
    std::vector<std::string> all = {"pretrain", "--pairs", "npy:" + a_, "--with", "npy:" + b_, "-o", folder_ / run};
    const std::vector<std::string> small = {"--batch",
                                            "20",
                                            "--epochs",
                                            epochs,
                                            "--threads",
                                            "1",
                                            "--quiet",
                                            "--set",
                                            "backbone.hidden=16",
                                            "--set",
                                            "projector.hidden=16",
                                            "--set",
                                            "projector.out=12",
                                            "--set",
                                            "train.checkpoint_steps=2"};
    all.insert(all.end(), small.begin(), small.end());
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  std::string models_of(const std::string& run) const {
    return read_bytes(folder_ / (run + "/model.safetensors")) + read_bytes(folder_ / (run + "/model-b.safetensors"));
  }

  test::TemporaryFolder folder_;
  std::string a_ = folder_ / "a.npy";
  std::string b_ = folder_ / "b.npy";
};

void expect_one_line(const Finished& finished, int code, const std::string& text) {
  EXPECT_EQ(finished.code, code);
  EXPECT_EQ(std::ranges::count(finished.errors, '\n'), 1) << finished.errors;
  EXPECT_THAT(finished.errors, HasSubstr(text));
}

TEST_F(Pairs, LeaveARunWithTwoTowersThatRepeatsItself) {
  const Finished first = run_orthant(words("run", {"--json"}));
  ASSERT_EQ(first.code, 0) << first.errors;
  const auto last = nlohmann::json::parse(first.output);
  EXPECT_EQ(last["step"], 27);
  for (const char* name : {"a_to_b_recall_at_1", "b_to_a_recall_at_10", "a_to_b_median_rank", "shared_features",
                           "sparsity_a", "dead_features_b", "held_out_loss"}) {
    EXPECT_TRUE(last.contains(name)) << name;
  }
  const Finished again =
      run_orthant({"pretrain", "--recipe", folder_ / "run/run.toml", "-o", folder_ / "b", "--quiet"});
  ASSERT_EQ(again.code, 0) << again.errors;
  EXPECT_EQ(models_of("run"), models_of("b"));
  for (const std::string tower : {"a", "b"}) {
    const Finished embed = run_orthant({"embed", folder_ / "run", "--tower", tower, "--quiet"});
    ASSERT_EQ(embed.code, 0) << embed.errors;
  }
  const Embeddings a = io::read_embeddings(folder_ / "run/embeddings/test-projector.safetensors");
  const Embeddings b = io::read_embeddings(folder_ / "run/embeddings/test-projector-tower-b.safetensors");
  EXPECT_EQ(a.rows(), 20);
  EXPECT_EQ(a.ids, b.ids);
  EXPECT_EQ(a.cols(), b.cols());
  EXPECT_EQ(run_orthant({"measure", folder_ / "run"}).code, 0);
  EXPECT_EQ(nlohmann::json::parse(run_orthant({"info", folder_ / "run", "--json"}).output)["data.with"], "npy:" + b_);
  EXPECT_EQ(run_orthant({"report", folder_ / "run", "-o", folder_ / "page.html"}).code, 0);
  const Finished info = run_orthant({"info", folder_ / "run/model-b.safetensors", "--json"});
  const auto facts = nlohmann::json::parse(info.output)["metadata"];
  EXPECT_EQ(facts["notes.tower"], "b");
  EXPECT_EQ(facts["notes.step"], "27");
  EXPECT_EQ(facts["notes.data"], "npy:" + b_);
}

TEST_F(Pairs, StoppedOrKilledTheyGoOnToTheSameBytes) {
  const std::vector<std::string> longer = {"--set", "train.log_steps=1", "--set", "eval.every=20"};
  ASSERT_EQ(run_orthant(words("whole", longer, "60")).code, 0);
  for (const int number : {SIGTERM, SIGKILL}) {
    const std::string name = "cut" + std::to_string(number);
    test::Running running(words(name, longer, "60"));
    test::wait_for_content(folder_ / (name + "/metrics.jsonl"));
    EXPECT_EQ(running.end(number), 128 + number);
    const Finished resumed = run_orthant({"resume", folder_ / name, "--quiet"});
    ASSERT_EQ(resumed.code, 0) << resumed.errors;
    EXPECT_EQ(models_of(name), models_of("whole"));
  }
  expect_one_line(run_orthant({"resume", folder_ / "whole", "--epochs", "61"}), 1, "train.epochs: 60 -> 61");
}

TEST_F(Pairs, StartFromOtherRunsAndFreezeThem) {
  ASSERT_EQ(run_orthant(words("run")).code, 0);
  const Finished frozen = run_orthant(
      words("frozen", {"--init-from-b", folder_ / "run", "--freeze", "b", "--set", "projector.out=9", "--json"}));
  ASSERT_EQ(frozen.code, 0) << frozen.errors;
  std::vector<std::string> sharing = {"--init-from-a", folder_ / "run/model.safetensors", "--init-from-b",
                                      folder_ / "run", "--shared-projector"};
  expect_one_line(run_orthant(words("shared", sharing)), 1,
                  "expected no batch_norm in a projector that both towers share");
  sharing.insert(sharing.end(), {"--set", "projector.batch_norm=false"});
  const Finished shared = run_orthant(words("shared", sharing));
  ASSERT_EQ(shared.code, 0) << shared.errors;
  const Finished other = run_orthant(words("other", {"--init-from-b", folder_ / "run/model.safetensors"}));
  expect_one_line(other, 1, "backbone.dims");
  EXPECT_FALSE(fs::exists(folder_ / "other"));
}

TEST_F(Pairs, ADryRunTellsTheCostAndWritesNothing) {
  const Finished plan = run_orthant(words("run", {"--dry-run", "--json"}));
  ASSERT_EQ(plan.code, 0) << plan.errors;
  const auto document = nlohmann::json::parse(plan.output);
  EXPECT_EQ(document["steps"], 27);
  EXPECT_THAT(document["recipe"].get<std::string>(), HasSubstr("[backbone_b]"));
  EXPECT_FALSE(fs::exists(folder_ / "run"));
}

TEST_F(Pairs, MisuseIsExitCodeTwo) {
  const std::string run = folder_ / "run";
  const auto expect_misuse = [&](const std::vector<std::string>& arguments, const std::string& text) {
    expect_one_line(run_orthant(arguments), 2, text);
  };
  expect_misuse({"pretrain", "--pairs", "npy:" + a_, "-o", run}, "--pairs A --with B: expected both or neither");
  expect_misuse({"pretrain", "--with", "npy:" + a_, "-o", run}, "expected both or neither");
  expect_misuse(words("run", {"--data", "sprites"}), "--pairs and --data: expected one of them");
  expect_misuse(words("run", {"--budget", "1min"}), "--budget is for one data set");
  expect_misuse(words("run", {"--init-from", run}), "expected --init-from-a or -b");
  expect_misuse({"pretrain", "--data", "npy:" + a_, "--freeze", "a", "-o", run}, "--freeze: expected it with --pairs");
  expect_misuse({"pretrain", "--data", "npy:" + a_, "--shared-projector", "-o", run}, "expected it with --pairs");
  EXPECT_FALSE(fs::exists(run));
}

TEST_F(Pairs, MistakesAreOneLineAndNothingIsWritten) {
  const std::string short_file = folder_ / "short.npy";
  write(short_file, 190, 4, 1.9);
  const Finished unequal =
      run_orthant({"pretrain", "--pairs", "npy:" + a_, "--with", "npy:" + short_file, "-o", folder_ / "r", "--quiet"});
  expect_one_line(unequal, 1, "200");
  EXPECT_THAT(unequal.errors, HasSubstr("190"));
  expect_one_line(run_orthant(words("r", {"--set", "train.freeze=a"})), 1, "expected train.init_from_a");
  expect_one_line(run_orthant(words("r", {"--set", "projector_b.out=5"})), 1, "projectors that end equally wide");
  expect_one_line(run_orthant(words("r", {"--backbone", "conv-mini"})), 1, "(backbone_a.name)");
  expect_one_line(run_orthant(words("r", {"--shared-projector", "--set", "backbone_b.hidden=9"})), 1,
                  "equally many features for one projector");
  expect_one_line(run_orthant(words("r", {"--init-from-a", folder_ / "none"})), 1, "no such run or file");
  EXPECT_FALSE(fs::exists(folder_ / "r"));
}

TEST_F(Pairs, OfVectorsAndTextsEmbedEveryText) {
  std::string captions;
  std::string ids;
  for (int i = 0; i < 200; ++i) {
    for (const char* phrase : {"number", "the item called"}) {
      captions += std::string(phrase) + " " + std::to_string(i) + "\n";
      ids += std::to_string(i) + "\n";
    }
  }
  test::write_bytes(folder_ / "captions.txt", captions);
  test::write_bytes(folder_ / "ids.txt", ids);
  const std::string texts = "text:" + (folder_ / "captions.txt") + ",ids=" + (folder_ / "ids.txt");
  const Finished run =
      run_orthant({"pretrain", "--pairs", "npy:" + a_, "--with", texts, "-o", folder_ / "run", "--batch", "20",
                   "--epochs", "2", "--threads", "1", "--quiet", "--set", "text.buckets=512"});
  ASSERT_EQ(run.code, 0) << run.errors;
  for (const std::string tower : {"a", "b"}) {
    const Finished embed = run_orthant({"embed", folder_ / "run", "--tower", tower, "--quiet"});
    ASSERT_EQ(embed.code, 0) << embed.errors;
  }
  const Embeddings a = io::read_embeddings(folder_ / "run/embeddings/test-projector.safetensors");
  const Embeddings b = io::read_embeddings(folder_ / "run/embeddings/test-projector-tower-b.safetensors");
  ASSERT_EQ(a.rows(), 20);
  ASSERT_EQ(b.rows(), 40);
  for (size_t i = 0; i < a.ids.size(); ++i) {
    EXPECT_EQ(b.ids[2 * i], a.ids[i]);
    EXPECT_EQ(b.ids[2 * i + 1], a.ids[i]);
  }
  EXPECT_EQ(b.how.at("tower"), "b");
  expect_one_line(run_orthant(words("none", {"--word-vectors", "npy:" + a_ + "," + folder_ / "ids.txt"})), 1,
                  "expected a new tower that reads texts for word vectors, got none");
  EXPECT_FALSE(fs::exists(folder_ / "none"));
}

TEST_F(Pairs, WordsAreAsLongAsTheVectorsTheyStartFrom) {
  std::string lines;
  for (int i = 0; i < 200; ++i) lines += i % 2 == 0 ? "even\n" : "odd\n";
  test::write_bytes(folder_ / "lines.txt", lines);
  test::write_bytes(folder_ / "words.txt", "even\nodd\nother\n");
  write(folder_ / "vectors.npy", 3, 7, 0.3);
  const Finished run =
      run_orthant({"pretrain", "--pairs", "npy:" + a_, "--with", "text:" + (folder_ / "lines.txt"), "-o",
                   folder_ / "run", "--batch", "20", "--epochs", "1", "--threads", "1", "--set", "text.buckets=64",
                   "--word-vectors", "npy:" + (folder_ / "vectors.npy") + "," + (folder_ / "words.txt")});
  ASSERT_EQ(run.code, 0) << run.errors;
  EXPECT_THAT(run.errors, HasSubstr("tower b starts from 3 word vectors"));
  const Finished info = run_orthant({"info", folder_ / "run/model-b.safetensors", "--json"});
  ASSERT_EQ(info.code, 0) << info.errors;
  EXPECT_THAT(info.output, HasSubstr("\"backbone.dims\": \"7\""));
}

TEST_F(Pairs, TowersOfDifferentStepsAreRefused) {
  ASSERT_EQ(run_orthant(words("run")).code, 0);
  ASSERT_EQ(run_orthant(words("other", {}, "2")).code, 0);
  fs::copy_file(folder_ / "other/model-b.safetensors", folder_ / "run/model-b.safetensors",
                fs::copy_options::overwrite_existing);
  expect_one_line(run_orthant({"embed", folder_ / "run", "--tower", "b", "--quiet"}), 1,
                  "expected two towers of one step, got those of steps 27 and 18");
}

}  // namespace
}  // namespace orthant
