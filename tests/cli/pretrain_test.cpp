#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

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
using test::Running;
using test::wait_for_content;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// A run on small vectors that takes a moment.
class Pretrain : public ::testing::Test {
 protected:
  Pretrain() {
    std::vector<float> values;
    for (int i = 0; i < 200 * 6; ++i) values.push_back(static_cast<float>(i % 7) + 0.01F * static_cast<float>(i % 11));
    io::write_npy(data_, io::array_from<float>(std::move(values), {200, 6}));
  }

  std::vector<std::string> words(const std::string& run, const std::vector<std::string>& more = {},
                                 const std::string& epochs = "3") const {
    std::vector<std::string> all = {"pretrain",
                                    "--data",
                                    "npy:" + data_,
                                    "-o",
                                    folder_ / run,
                                    "--batch",
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
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  std::string model_of(const std::string& run) const { return read_bytes(folder_ / (run + "/model.safetensors")); }

  test::TemporaryFolder folder_;
  std::string data_ = folder_ / "vectors.npy";
};

void expect_one_line(const Finished& finished, const std::string& text) {
  EXPECT_EQ(finished.code, 1);
  EXPECT_EQ(std::ranges::count(finished.errors, '\n'), 1) << finished.errors;
  EXPECT_THAT(finished.errors, HasSubstr(text));
}

TEST_F(Pretrain, LeavesARunThatSaysWhatItIsAndRepeatsItself) {
  const Finished first = run_orthant(words("a", {"--json"}));
  ASSERT_EQ(first.code, 0) << first.errors;
  EXPECT_EQ(nlohmann::json::parse(first.output)["step"], 27);
  for (const char* name : {"run.toml", "metrics.jsonl", "model.safetensors", "checkpoint"}) {
    EXPECT_TRUE(fs::exists(folder_ / (std::string("a/") + name))) << name;
  }
  const Finished again = run_orthant({"pretrain", "--recipe", folder_ / "a/run.toml", "-o", folder_ / "b", "--quiet"});
  ASSERT_EQ(again.code, 0) << again.errors;
  EXPECT_EQ(model_of("a"), model_of("b"));

  const Finished info = run_orthant({"info", folder_ / "a", "--json"});
  ASSERT_EQ(info.code, 0) << info.errors;
  const auto report = nlohmann::json::parse(info.output);
  EXPECT_EQ(report["train.method"], "ncl");
  EXPECT_EQ(report["last_epoch"]["epoch"], 3);
  EXPECT_THAT(run_orthant({"info", folder_ / "a/model.safetensors"}).output, HasSubstr("rep_relu"));
  EXPECT_THAT(run_orthant({"info", folder_ / "a", folder_ / "b"}).output, HasSubstr("sparsity"));

  for (const char* name : {"e.safetensors", "e.npz", "e.npy"}) {
    const Finished embed = run_orthant({"embed", folder_ / "a", "--split", "test", "-o", folder_ / name, "--quiet"});
    ASSERT_EQ(embed.code, 0) << embed.errors;
    EXPECT_EQ(io::read_embeddings(folder_ / name).rows(), 20);
  }
  EXPECT_THAT(run_orthant({"info", folder_ / "e.safetensors"}).output, HasSubstr("embeddings"));
  expect_one_line(run_orthant(words("a")), "--overwrite replaces it");
}

TEST_F(Pretrain, SomeItemsAreNotShownAsTheWholeSplit) {
  ASSERT_EQ(run_orthant(words("a")).code, 0);
  ASSERT_EQ(run_orthant({"embed", folder_ / "a", "--size", "5", "--quiet"}).code, 0);
  EXPECT_EQ(io::read_embeddings(folder_ / "a/embeddings/test-projector-5.safetensors").rows(), 5);
  const Finished report = run_orthant({"report", folder_ / "a", "-o", folder_ / "page.html"});
  ASSERT_EQ(report.code, 0) << report.errors;
  EXPECT_THAT(report.output, HasSubstr("20 items"));
}

TEST_F(Pretrain, StoppedOrKilledItGoesOnToTheSameBytes) {
  const std::vector<std::string> longer = {"--set", "train.log_steps=1", "--set", "eval.every=20"};
  ASSERT_EQ(run_orthant(words("whole", longer, "60")).code, 0);
  for (const int number : {SIGTERM, SIGINT, SIGKILL}) {
    const std::string name = "cut" + std::to_string(number);
    Running running(words(name, longer, "60"), folder_ / (name + ".txt"));
    wait_for_content(folder_ / (name + "/metrics.jsonl"));
    EXPECT_EQ(running.end(number), 128 + number);
    EXPECT_FALSE(fs::exists(folder_ / (name + "/model.safetensors")) && model_of(name) == model_of("whole"));
    if (number != SIGKILL) {
      EXPECT_THAT(read_bytes(folder_ / (name + ".txt")), StartsWith("orthant: stopping...\northant: saved at step "));
    }
    const Finished resumed = run_orthant({"resume", folder_ / name, "--quiet"});
    ASSERT_EQ(resumed.code, 0) << resumed.errors;
    EXPECT_EQ(model_of(name), model_of("whole"));
  }
}

TEST_F(Pretrain, TwoProgramsOnOneRunAreOneTooMany) {
  Running running(words("run", {"--set", "train.log_steps=1"}, "100000"));
  wait_for_content(folder_ / "run/metrics.jsonl");
  expect_one_line(run_orthant({"resume", folder_ / "run"}), "another program holds");
  expect_one_line(run_orthant(words("run", {"--overwrite"})), "another program holds");
  EXPECT_EQ(running.end(SIGTERM), 128 + SIGTERM);
}

TEST_F(Pretrain, ChangedSettingsAreRefusedUnlessForced) {
  ASSERT_EQ(run_orthant(words("run")).code, 0);
  expect_one_line(run_orthant({"resume", folder_ / "run", "--epochs", "4"}), "train.epochs: 3 -> 4");
  const Finished forced = run_orthant({"resume", folder_ / "run", "--epochs", "4", "--force", "--quiet", "--json"});
  ASSERT_EQ(forced.code, 0) << forced.errors;
  EXPECT_EQ(nlohmann::json::parse(forced.output)["epoch"], 4);
}

TEST_F(Pretrain, ADamagedCheckpointIsToldAndTheOneBeforeUsed) {
  ASSERT_EQ(run_orthant(words("run")).code, 0);
  const std::string expected = model_of("run");
  std::vector<std::string> checkpoints;
  for (const auto& entry : fs::directory_iterator(folder_ / "run/checkpoint")) checkpoints.push_back(entry.path());
  ASSERT_EQ(checkpoints.size(), 2u);
  const std::string newest = std::ranges::max(checkpoints);
  std::string bytes = read_bytes(newest);
  bytes[bytes.size() - 3] ^= 1;
  test::write_bytes(newest, bytes);
  fs::remove(folder_ / "run/model.safetensors");
  const Finished resumed = run_orthant({"resume", folder_ / "run", "--quiet"});
  ASSERT_EQ(resumed.code, 0) << resumed.errors;
  EXPECT_THAT(resumed.errors, AllOf(HasSubstr("expected checksum"), HasSubstr("going back")));
  EXPECT_EQ(model_of("run"), expected);
}

TEST_F(Pretrain, AFullDiskIsOneLineAndNothingIsLost) {
  // run.toml fits under the limit, a checkpoint does not.
  const std::vector<std::string> larger = {"--set", "projector.hidden=128"};
  ASSERT_EQ(run_orthant(words("whole", larger)).code, 0);
  const Finished full = run_orthant(words("run", larger), {.file_bytes = 16'000});
  expect_one_line(full, "got: ");
  for (const auto& entry : fs::recursive_directory_iterator(folder_ / "run")) {
    EXPECT_THAT(entry.path().string(), Not(HasSubstr(".tmp")));
  }
  const Finished resumed = run_orthant({"resume", folder_ / "run", "--quiet"});
  ASSERT_EQ(resumed.code, 0) << resumed.errors;
  EXPECT_EQ(model_of("run"), model_of("whole"));
}

TEST_F(Pretrain, AFolderThatCannotBeWrittenIsOneLine) {
  expect_one_line(run_orthant({"pretrain", "--data", "npy:" + data_, "--batch", "20", "-o", "/proc/run", "--quiet"}),
                  "[/proc/run] expected to make a folder");
  if (::geteuid() == 0) return;  // root may write anywhere else
  fs::create_directory(folder_ / "closed");
  ::chmod((folder_ / "closed").c_str(), 0500);
  expect_one_line(run_orthant(words("closed/run")), "expected to make a folder");
}

TEST_F(Pretrain, MistakesAreOneLine) {
  expect_one_line(run_orthant(words("r", {"--loss", "triplet"})), "expected name to be one of infonce");
  expect_one_line(run_orthant(words("r", {"--set", "train.epoch=3"})), "did you mean train.epochs?");
  expect_one_line(run_orthant(words("r", {"--train-size", "10"})), "(train.batch)");
  expect_one_line(run_orthant(words("r", {"--backbone", "resnet18"})), "got vectors");
  expect_one_line(run_orthant({"resume", folder_ / "none"}), "expected a run folder");
  expect_one_line(run_orthant({"embed", folder_ / "none", "-o", folder_ / "x.npy"}), "none");
  expect_one_line(run_orthant({"info", folder_ / "none"}), "none");
  EXPECT_FALSE(fs::exists(folder_ / "r"));
}

TEST_F(Pretrain, ADryRunTellsTheCostAndWritesNothing) {
  const Finished plan = run_orthant(words("run", {"--dry-run", "--json"}));
  ASSERT_EQ(plan.code, 0) << plan.errors;
  const auto document = nlohmann::json::parse(plan.output);
  EXPECT_EQ(document["parameters"], 6 * 16 + 16 + 16 * 16 + 16 + 16 * 16 + 16 + 2 * 16 + 16 * 12 + 12);
  EXPECT_EQ(document["steps"], 27);
  EXPECT_GT(document["peak_bytes"], 1 << 20);
  EXPECT_FALSE(fs::exists(folder_ / "run"));
}

TEST_F(Pretrain, ABudgetChoosesTheRestAndSaysIt) {
  const std::vector<std::string> small = {"--set", "backbone.hidden=16", "--set",     "projector.hidden=16",
                                          "--set", "projector.out=12",   "--threads", "1"};
  std::vector<std::string> plan = {"pretrain", "--data", "npy:" + data_, "--budget", "60s", "--dry-run", "--json"};
  plan.insert(plan.end(), small.begin(), small.end());
  const Finished finished = run_orthant(plan);
  ASSERT_EQ(finished.code, 0) << finished.errors;
  const std::string recipe = nlohmann::json::parse(finished.output)["recipe"];
  EXPECT_THAT(recipe, HasSubstr("epochs = 400 "));
  EXPECT_THAT(recipe, HasSubstr("batch = 32 "));
  EXPECT_THAT(recipe, HasSubstr("warmup_epochs = 20.0 "));
  EXPECT_THAT(finished.errors, HasSubstr("400 epochs of 180 items in batches of 32, mlp"));
  EXPECT_THAT(finished.errors, HasSubstr("done before time"));
}

TEST_F(Pretrain, ABudgetThatIsNoTimeOrHasEpochsBesideItIsMisuse) {
  const Finished number = run_orthant({"pretrain", "--data", "npy:" + data_, "--budget", "10", "-o", folder_ / "run"});
  EXPECT_EQ(number.code, 2);
  EXPECT_THAT(number.errors, HasSubstr("--budget: expected a time from 1s to 1000h such as 90s, 10min or 1h30min"));
  const Finished both = run_orthant(words("run", {"--budget", "10min"}));
  EXPECT_EQ(both.code, 2);
  EXPECT_THAT(both.errors, HasSubstr("--budget chooses the epochs"));
  EXPECT_FALSE(fs::exists(folder_ / "run"));
}

TEST_F(Pretrain, StartsFromTheWeightsOfAnotherRun) {
  ASSERT_EQ(run_orthant(words("first")).code, 0);
  const Finished second = run_orthant(words("second", {"--init-from", folder_ / "first"}, "1"));
  ASSERT_EQ(second.code, 0) << second.errors;
  EXPECT_THAT(read_bytes(folder_ / "second/run.toml"), HasSubstr("first"));
  expect_one_line(run_orthant(words("third", {"--init-from", folder_ / "first", "--set", "projector.out=5"})),
                  "expected the network that its weights are of, got projector.out: 12 -> 5");
  EXPECT_FALSE(fs::exists(folder_ / "third"));
}

TEST_F(Pretrain, TheNetworkOfAnotherRunNeedsNoWords) {
  ASSERT_EQ(run_orthant(words("first")).code, 0);
  const Finished second = run_orthant({"pretrain", "--data", "npy:" + data_, "-o", folder_ / "second", "--init-from",
                                       folder_ / "first", "--epochs", "1", "--batch", "20", "--quiet"});
  ASSERT_EQ(second.code, 0) << second.errors;
  EXPECT_THAT(read_bytes(folder_ / "second/run.toml"), AllOf(HasSubstr("hidden = 16 "), HasSubstr("out = 12 ")));
}

TEST_F(Pretrain, ARunWithoutAFinishedEpochSaysHowToGoOn) {
  ASSERT_EQ(run_orthant(words("run")).code, 0);
  fs::remove(folder_ / "run/model.safetensors");
  const std::string advice = "no epoch finished yet; 'orthant resume " + (folder_ / "run") + "' goes on";
  expect_one_line(run_orthant({"embed", folder_ / "run", "--quiet"}), advice);
  expect_one_line(run_orthant({"report", folder_ / "run", "-o", folder_ / "page.html", "--quiet"}), advice);
  expect_one_line(run_orthant({"probe", folder_ / "run", "-o", folder_ / "probe", "--quiet"}), advice);
  expect_one_line(run_orthant(words("next", {"--init-from", folder_ / "run"})), advice);
}

TEST_F(Pretrain, ARunGoesOnFromAnotherFolder) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_.path());
  std::vector<std::string> first = words("run");
  std::vector<std::string> second = words("next", {"--init-from", "run"});
  for (auto* given : {&first, &second}) std::ranges::replace(*given, "npy:" + data_, "npy:vectors.npy");
  const Finished made = run_orthant(first);
  const Finished next = run_orthant(second);
  fs::current_path(before);
  ASSERT_EQ(made.code, 0) << made.errors;
  ASSERT_EQ(next.code, 0) << next.errors;
  const std::string recipe = read_bytes(folder_ / "next/run.toml");
  EXPECT_THAT(recipe, HasSubstr("source = \"npy:" + fs::canonical(data_).string() + "\""));
  EXPECT_THAT(recipe, HasSubstr("init_from = \"" + fs::canonical(folder_ / "run").string() + "\""));
  const Finished report = run_orthant({"report", folder_ / "run", "-o", folder_ / "page.html"});
  EXPECT_EQ(report.code, 0) << report.errors;
  fs::remove_all(folder_ / "run/checkpoint");
  const Finished resumed = run_orthant({"resume", folder_ / "run", "--quiet"});
  EXPECT_EQ(resumed.code, 0) << resumed.errors;
}

// Three batches for two processes, and for more processes than there are.
TEST_F(Pretrain, EmbeddingsOfSeveralProcessesAreThoseOfOne) {
  ASSERT_EQ(run_orthant(words("run", {}, "1")).code, 0);
  const auto embed = [&](const std::string& processes, const std::string& name) {
    return run_orthant({"embed", folder_ / "run", "--split", "train", "--batch", "64", "--threads", "1", "--processes",
                        processes, "-o", folder_ / name, "--overwrite"});
  };
  const Finished one = embed("1", "one.safetensors");
  ASSERT_EQ(one.code, 0) << one.errors;
  for (const char* processes : {"2", "5"}) {
    const Finished several = embed(processes, "several.safetensors");
    ASSERT_EQ(several.code, 0) << several.errors;
    EXPECT_THAT(several.errors, HasSubstr("[0] ")) << several.errors;
    EXPECT_TRUE(read_bytes(folder_ / "several.safetensors") == read_bytes(folder_ / "one.safetensors")) << processes;
  }
  for (const auto& entry : fs::directory_iterator(folder_.path())) {
    EXPECT_EQ(entry.path().string().find(".part"), std::string::npos) << entry.path();
  }
  const Finished refused =
      run_orthant({"embed", folder_ / "run", "--processes", "2", "-o", folder_ / "one.safetensors"});
  EXPECT_NE(refused.code, 0);
  EXPECT_THAT(refused.errors, HasSubstr("--overwrite"));
}

}  // namespace
}  // namespace orthant
