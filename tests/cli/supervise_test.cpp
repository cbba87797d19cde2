#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "orthant/core/rng.h"
#include "orthant/io/embeddings_file.h"
#include "orthant/io/npy.h"
#include "orthant/io/safetensors.h"
#include "tests/support/program.h"
#include "tests/support/running.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

namespace fs = std::filesystem;
using test::Finished;
using test::read_bytes;
using test::run_orthant;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr int64_t kItems = 200;
constexpr int64_t kDims = 6;
constexpr int64_t kClasses = 4;

// Vectors around four centres, and runs on them that take a moment.
class Supervise : public ::testing::Test {
 protected:
  Supervise() {
    Rng rng(5);
    std::vector<float> values;
    std::vector<int64_t> labels;
    for (int64_t i = 0; i < kItems; ++i) {
      labels.push_back(i % kClasses);
      for (int64_t j = 0; j < kDims; ++j) {
        values.push_back(static_cast<float>((i % kClasses == j ? 3.0 : 0.0) + rng.normal()));
      }
    }
    io::write_npy(vectors_, io::array_from<float>(std::move(values), {kItems, kDims}));
    io::write_npy(folder_ / "y.npy", io::array_from<int64_t>(std::move(labels), {kItems}));
  }

  std::string data() const { return "npy:" + vectors_ + "," + (folder_ / "y.npy"); }

  std::vector<std::string> words(const std::string& run, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> all = {
        "supervise", "--data", data(),      "-o", folder_ / run, "--batch", "20",
        "--rate",    "0.05",   "--threads", "1",  "--quiet",     "--set",   "backbone.hidden=16"};
    all.insert(all.end(), more.begin(), more.end());
    if (std::ranges::find(more, "--epochs") == more.end()) all.insert(all.end(), {"--epochs", "5"});
    return all;
  }

  std::vector<std::string> with_projector(const std::string& run, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> all =
        words(run, {"--projector", "--set", "projector.hidden=16", "--set", "projector.out=12"});
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  // Data with these labels, of which nobody can learn.
  Finished on_labels(const std::vector<int64_t>& labels, const std::vector<std::string>& more = {}) const {
    std::vector<int64_t> all;
    for (int64_t i = 0; i < kItems; ++i) all.push_back(labels[static_cast<size_t>(i) % labels.size()]);
    io::write_npy(folder_ / "other.npy", io::array_from<int64_t>(std::move(all), {kItems}));
    std::vector<std::string> given = words("refused", more);
    given[2] = "npy:" + vectors_ + "," + (folder_ / "other.npy");
    return run_orthant(given);
  }

  std::string model_of(const std::string& run) const { return read_bytes(folder_ / (run + "/model.safetensors")); }

  void expect_refused(const Finished& finished, const std::string& text) const {
    EXPECT_EQ(finished.code, 1);
    EXPECT_EQ(std::ranges::count(finished.errors, '\n'), 1) << finished.errors;
    EXPECT_THAT(finished.errors, HasSubstr(text));
    EXPECT_FALSE(fs::exists(folder_ / "refused"));
  }

  test::TemporaryFolder folder_;
  std::string vectors_ = folder_ / "vectors.npy";
};

TEST_F(Supervise, EveryLossLeavesARunThatRepeatsItself) {
  for (const std::string loss : {"ce", "nce", "supcon", "nsupcon"}) {
    const Finished first = run_orthant(with_projector(loss, {"--loss", loss, "--json"}));
    ASSERT_EQ(first.code, 0) << first.errors;
    const auto told = nlohmann::json::parse(first.output);
    EXPECT_GT(told["test_accuracy"], loss.ends_with("ce") ? 0.5 : 0.0) << loss;
    EXPECT_EQ(told["test_items"], 20);
    EXPECT_THAT(read_bytes(folder_ / (loss + "/run.toml")),
                AllOf(HasSubstr("method = \"" + loss + "\""), HasSubstr("'orthant supervise --recipe' repeats it")));
    const Finished again = run_orthant(
        {"supervise", "--recipe", folder_ / (loss + "/run.toml"), "-o", folder_ / (loss + "-again"), "--quiet"});
    ASSERT_EQ(again.code, 0) << again.errors;
    EXPECT_EQ(model_of(loss), model_of(loss + "-again"));
  }
  ASSERT_EQ(run_orthant(with_projector("nonneg", {"--loss", "supcon", "--nonneg"})).code, 0);
  EXPECT_EQ(model_of("nonneg"), model_of("nsupcon"));
  ASSERT_EQ(run_orthant(with_projector("default")).code, 0);
  EXPECT_EQ(model_of("default"), model_of("nce"));
}

TEST_F(Supervise, EveryOtherCommandTakesTheRun) {
  ASSERT_EQ(run_orthant(with_projector("run")).code, 0);
  const std::string run = folder_ / "run";
  const std::vector<std::vector<std::string>> commands = {
      {"embed", run, "--quiet"},
      {"embed", run, "--split", "train", "--quiet"},
      {"info", run},
      {"measure", run},
      {"report", run, "-o", folder_ / "page.html", "--quiet"},
      {"probe", run, "-o", folder_ / "probe", "--layer", "projector", "--quiet"},
      {"finetune", run, "-o", folder_ / "tuned", "--epochs", "1", "--quiet"},
      {"select", run, "--keep", "5", "--rank-from", run, "-o", folder_ / "five.npz", "--quiet"},
      {"select", run, "--keep", "5", "--apply", run, "-o", folder_ / "short", "--quiet"},
      {"embed", folder_ / "short", "--quiet"},
      {"pretrain", "--data", data(), "--init-from", run, "--epochs", "1", "--batch", "20", "-o", folder_ / "next",
       "--quiet"}};
  for (const auto& command : commands) {
    const Finished finished = run_orthant(command);
    EXPECT_EQ(finished.code, 0) << command.front() << ": " << finished.errors;
  }
  const auto shorter = io::SafeTensors::open(folder_ / "short/model.safetensors");
  EXPECT_EQ(shorter.tensor("fc.weight").shape, (std::vector<int64_t>{kClasses, 5}));
  const Finished resumed = run_orthant({"resume", folder_ / "short"});
  EXPECT_EQ(resumed.code, 1);
  EXPECT_THAT(resumed.errors, HasSubstr("got a model shortened from"));
}

TEST_F(Supervise, SpritesAreLearnedFromTheShortestCommand) {
  const Finished finished =
      run_orthant({"supervise", "--data", "sprites", "--train-size", "256", "--epochs", "1", "--image-size", "16",
                   "--set", "backbone.width=8", "--set", "eval.size=64", "-o", folder_ / "sprites"});
  ASSERT_EQ(finished.code, 0) << finished.errors;
  EXPECT_THAT(finished.errors, AllOf(HasSubstr("sigma+ leaves them as they are; --projector changes that"),
                                     HasSubstr("% of 64 held out")));
  EXPECT_THAT(read_bytes(folder_ / "sprites/run.toml"),
              AllOf(HasSubstr("method = \"nce\""), HasSubstr("view_count = 1"), HasSubstr("views = \"weak\"")));
}

TEST_F(Supervise, StoppedOrKilledItGoesOnToTheSameBytes) {
  const std::vector<std::string> longer = {"--epochs",        "60",
                                           "--set",           "train.log_steps=1",
                                           "--set",           "eval.every=20",
                                           "--set",           "train.checkpoint_steps=2",
                                           "--nonneg-weights"};
  for (const std::string loss : {"nce", "supcon"}) {
    std::vector<std::string> more = longer;
    more.insert(more.end(), {"--loss", loss});
    ASSERT_EQ(run_orthant(words(loss + "-whole", more)).code, 0);
    for (const int number : {SIGTERM, SIGKILL}) {
      const std::string name = loss + std::to_string(number);
      test::Running running(words(name, more));
      test::wait_for_content(folder_ / (name + "/metrics.jsonl"));
      EXPECT_EQ(running.end(number), 128 + number);
      const Finished resumed = run_orthant({"resume", folder_ / name, "--quiet"});
      ASSERT_EQ(resumed.code, 0) << resumed.errors;
      EXPECT_EQ(model_of(name), model_of(loss + "-whole"));
    }
  }
}

TEST_F(Supervise, StartsFromARunWithAndWithoutItsProjector) {
  const std::string first = folder_ / "first";
  ASSERT_EQ(run_orthant({"pretrain", "--data", data(), "-o", first, "--epochs", "1", "--batch", "20", "--quiet",
                         "--set", "backbone.hidden=16", "--set", "projector.hidden=16", "--set", "projector.out=12"})
                .code,
            0);
  const auto from = io::SafeTensors::open(first + "/model.safetensors");
  const auto start = [&](const std::string& name, const std::vector<std::string>& more) {
    // A rate of nothing leaves the weights where they start.
    std::vector<std::string> given = {
        "supervise", "--data",      data(), "-o",     folder_ / name, "--epochs", "1",     "--batch",
        "20",        "--init-from", first,  "--rate", "1e-30",        "--quiet",  "--set", "optimiser.warmup_start=0"};
    given.insert(given.end(), more.begin(), more.end());
    const Finished finished = run_orthant(given);
    EXPECT_EQ(finished.code, 0) << finished.errors;
    return io::SafeTensors::open(folder_ / (name + "/model.safetensors"));
  };
  const auto bare = start("bare", {});
  EXPECT_FALSE(bare.contains("projector.0.weight"));
  EXPECT_EQ(bare.tensor("fc.weight").shape, (std::vector<int64_t>{kClasses, 16}));
  EXPECT_EQ(bare.tensor("layers.0.weight").to_floats(""), from.tensor("layers.0.weight").to_floats(""));
  for (const auto& more : {std::vector<std::string>{"--projector"}, {"--loss", "supcon"}}) {
    const auto whole = start(more.back(), more);
    EXPECT_EQ(whole.tensor("projector.0.weight").to_floats(""), from.tensor("projector.0.weight").to_floats(""));
    EXPECT_EQ(whole.tensor("fc.weight").shape, (std::vector<int64_t>{kClasses, 12}));
  }
  ASSERT_EQ(run_orthant({"embed", first, "-o", folder_ / "e.safetensors", "--quiet"}).code, 0);
  expect_refused(run_orthant(words("refused", {"--init-from", folder_ / "e.safetensors"})),
                 "expected the tensor layers.0.weight of mlp, got none of that name");
  expect_refused(run_orthant(words("refused", {"--init-from", first, "--set", "backbone.hidden=8"})),
                 "expected the network that its weights are of, got backbone.hidden: 16 -> 8");
  expect_refused(run_orthant(with_projector("refused", {"--init-from", first, "--set", "projector.out=5"})),
                 "got projector.out: 12 -> 5");
}

TEST_F(Supervise, LabelsThatCannotBeLearnedFromAreOneLineAndNothingIsWritten) {
  std::vector<std::string> bare = words("refused");
  bare[2] = "npy:" + vectors_;
  expect_refused(run_orthant(bare), "expected labels in the split train, got none");
  expect_refused(on_labels({0, 1, -1, 1}), "items of the split train, got ");
  expect_refused(on_labels({0, 3}),
                 "expected items of each of the 4 classes in the split train, got none of 1 and 1 more");
  expect_refused(on_labels({0}), "expected at least two classes to tell apart, got one");
  expect_refused(on_labels({0}, {"--label-noise", "0.5"}), "expected at least two classes to tell apart, got one");
  expect_refused(run_orthant(words("refused", {"--class-weights", "1,2,3"})),
                 "expected none, balanced or 4 numbers, one for each class, got 3");
  expect_refused(run_orthant(words("refused", {"--class-weights", "equal"})), "positive numbers separated by commas");
  expect_refused(run_orthant(words("refused", {"--label-noise", "2"})), "noise");
  expect_refused(run_orthant(words("refused", {"--label-fraction", "0"})), "fraction");
}

TEST_F(Supervise, EachCommandNamesTheOtherForWhatItDoesNotLearn) {
  expect_refused(run_orthant(words("refused", {"--loss", "ncl"})), "got ncl, which 'orthant pretrain' learns");
  expect_refused(run_orthant({"pretrain", "--data", data(), "-o", folder_ / "refused", "--method", "nce"}),
                 "got nce, which 'orthant supervise' learns");
  expect_refused(run_orthant(words("refused", {"--loss", "ce", "--activation", "relu"})),
                 "sigma+ is what makes it nce");
}

TEST_F(Supervise, SettingsOfLabelsChangeWhatIsLearnedAndTestLabelsStayTrue) {
  ASSERT_EQ(run_orthant(words("plain")).code, 0);
  const std::vector<std::vector<std::string>> all = {{"--label-noise", "0.3"},
                                                     {"--label-smoothing", "0.2"},
                                                     {"--class-weights", "1,2,3,4"},
                                                     {"--nonneg-weights"},
                                                     {"--label-fraction", "0.5"}};
  for (const auto& more : all) {
    const Finished finished = run_orthant(words(more.front(), more));
    ASSERT_EQ(finished.code, 0) << finished.errors;
    EXPECT_NE(model_of(more.front()), model_of("plain")) << more.front();
  }
  ASSERT_EQ(run_orthant(words("scaled", {"--class-weights", "4,4,4,4"})).code, 0);
  ASSERT_EQ(run_orthant(words("balanced", {"--class-weights", "balanced"})).code, 0);
  ASSERT_EQ(run_orthant({"embed", folder_ / "--label-noise", "-o", folder_ / "e.safetensors", "--quiet"}).code, 0);
  ASSERT_EQ(run_orthant({"embed", folder_ / "plain", "-o", folder_ / "f.safetensors", "--quiet"}).code, 0);
  EXPECT_EQ(io::read_embeddings(folder_ / "e.safetensors").labels,
            io::read_embeddings(folder_ / "f.safetensors").labels);
}

TEST_F(Supervise, ADryRunOrABudgetIsAsForPretraining) {
  const Finished plan = run_orthant(words("refused", {"--dry-run", "--json"}));
  ASSERT_EQ(plan.code, 0) << plan.errors;
  EXPECT_EQ(nlohmann::json::parse(plan.output)["steps"], 45);
  EXPECT_FALSE(fs::exists(folder_ / "refused"));
  const Finished budget = run_orthant({"supervise", "--data", data(), "--budget", "60s", "--dry-run", "--json",
                                       "--class-weights", "balanced", "--threads", "1"});
  ASSERT_EQ(budget.code, 0) << budget.errors;
  EXPECT_THAT(budget.errors, HasSubstr("400 epochs of 180 items"));
}

}  // namespace
}  // namespace orthant
