#include "learn/train/loop.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// One weight that falls by the rate with every step, three epochs of four steps. The loss is the number of the step.
class FakeTask : public Task {
 public:
  Extent extent() const override { return {.batch = 256, .batches = 4, .epochs = 3}; }
  void visit_parameters(const TensorVisitor& visit) override { visit("weight", weight); }
  void visit_state(const TensorVisitor& visit) override { visit("seen", seen); }
  std::map<std::string, std::string> identity() const override { return {{"kind", kind}}; }
  void begin_epoch(int64_t, int64_t batch) override { next_ = batch; }
  std::optional<Scalars> backward(const Moment& moment, EpochTally& tally) override {
    if (next_ == extent().batches) return std::nullopt;
    ++next_;
    weight.mutable_grad() = at::full({1}, gradient);
    const double loss = moment.step == nan_step ? kNan : static_cast<double>(moment.step);
    tally.loss += loss;
    return Scalars{{"odd", static_cast<double>(moment.step % 2)}, {"rate", moment.rate}, {"loss", loss}};
  }
  void step(const Moment&) override { seen += 1; }
  Scalars epoch_measures(const EpochTally& tally, const EpochPace&) const override {
    return {{"steps", tally.steps}, {"loss", tally.loss / tally.steps}};
  }
  Verdict evaluate(const Pause& pause) override {
    ++evaluations;
    for (int i = 0; i < 3; ++i) pause();
    return {{{"worth", seen.item<double>()}}, {{"danger", "look out at " + std::to_string(seen.item<int64_t>())}}};
  }
  void publish(const std::string&) override { ++published; }

  double value() const { return weight.item<double>(); }

  at::Tensor weight = at::ones({1});
  at::Tensor seen = at::zeros({1}, at::kLong);
  std::string kind = "fake";
  double gradient = 1;
  int64_t nan_step = -1;
  int published = 0;
  int evaluations = 0;

 private:
  int64_t next_ = 0;
};

const OptimiserOptions kSgd = {.name = "sgd", .rate = 0.01, .warmup_epochs = 1};

// A fake task in training in a folder of its own.
struct FakeRun {
  explicit FakeRun(const std::string& path) { options.folder = path; }

  Ending train(const TrainListener& listener = {}) { return orthant::train(trainer, options, listener); }

  // Ends after the step with this number.
  Ending train_until(int64_t step) {
    return train({.stop = [this, step] { return trainer.position().step >= step; }});
  }

  // What metrics.jsonl says, of lines of this kind.
  std::vector<nlohmann::json> lines(const std::string& kind) const {
    std::istringstream in(test::read_bytes(options.folder + "/metrics.jsonl"));
    std::vector<nlohmann::json> found;
    for (std::string line; std::getline(in, line);) {
      auto parsed = nlohmann::json::parse(line);
      if (parsed["kind"] == kind) found.push_back(std::move(parsed));
    }
    return found;
  }

  std::vector<int64_t> steps_of(const std::string& kind) const {
    std::vector<int64_t> steps;
    for (const auto& line : lines(kind)) steps.push_back(line["step"]);
    return steps;
  }

  std::string checkpoints() const { return options.folder + "/checkpoint"; }

  FakeTask task;
  Trainer trainer{task, kSgd, 1};
  LoopOptions options{.folder = "", .pacing = {.log_steps = 1, .checkpoint_steps = 0, .checkpoint_seconds = 0}};
};

TEST(Loop, AStopAfterAnyStepSavesThatStepAndTheRestEndsAlike) {
  const test::TemporaryFolder folder;
  FakeRun whole(folder / "whole");
  EXPECT_EQ(whole.train(), Ending::finished);
  for (int64_t stop = 1; stop < 12; ++stop) {
    const std::string path = folder / ("stop-" + std::to_string(stop));
    FakeRun first(path);
    EXPECT_EQ(first.train_until(stop), Ending::stopped) << stop;
    EXPECT_EQ(read_checkpoint(first.checkpoints())->step, stop);
    FakeRun second(path);
    go_back_to_checkpoint(second.trainer, path);
    EXPECT_EQ(second.trainer.position().step, stop);
    EXPECT_EQ(second.train(), Ending::finished);
    EXPECT_EQ(second.task.value(), whole.task.value()) << stop;
    EXPECT_EQ(second.task.seen.item<int64_t>(), 12);
    EXPECT_EQ(second.steps_of("step"), whole.steps_of("step")) << stop;
    for (size_t epoch = 0; epoch < 3; ++epoch) {
      EXPECT_EQ(second.lines("epoch").at(epoch)["loss"], whole.lines("epoch").at(epoch)["loss"]) << stop;
    }
  }
}

TEST(Loop, AStopThatComesDuringAStepIsSavedBeforeAListenerMayThrow) {
  const test::TemporaryFolder folder;
  FakeRun run(folder / "run");
  const auto interrupted = [&] { return run.task.seen.item<int64_t>() >= 6; };
  TrainListener listener{.stop = interrupted};
  listener.step = [&](auto&&...) {
    if (interrupted()) throw std::runtime_error("a bar that stops at once");
  };
  EXPECT_EQ(run.train(listener), Ending::stopped);
  EXPECT_EQ(read_checkpoint(run.checkpoints())->step, 6);
}

TEST(Loop, AStopThatComesDuringAnEvaluationNeedsNoFurtherStep) {
  const test::TemporaryFolder folder;
  FakeRun run(folder / "run");
  run.options.evaluate_every = 1;
  bool interrupted = false;
  const Ending ending =
      run.train({.stop = [&] { return interrupted; }, .epoch = [&](auto&&...) { interrupted = true; }});
  EXPECT_EQ(ending, Ending::stopped);
  const auto found = read_checkpoint(run.checkpoints());
  EXPECT_EQ(found->step, 4);
  EXPECT_EQ(Position::restored(found->checkpoint).epoch, 1);
}

TEST(Loop, AnEvaluationIsCutShortByAStopAndDoneAgainToTheSameEnd) {
  const test::TemporaryFolder folder;
  FakeRun whole(folder / "whole");
  whole.options.evaluate_every = 1;
  EXPECT_EQ(whole.train(), Ending::finished);
  for (const int cut : {1, 3}) {
    const std::string path = folder / ("cut-" + std::to_string(cut));
    FakeRun first(path);
    first.options.evaluate_every = 1;
    EXPECT_EQ(first.train({.stop = [&] { return first.task.evaluations == cut; }}), Ending::stopped);
    EXPECT_EQ(first.task.published, cut - 1);
    EXPECT_EQ(first.lines("epoch").size(), static_cast<size_t>(cut - 1));
    const auto found = read_checkpoint(first.checkpoints());
    EXPECT_EQ(found->step, 4 * cut);
    EXPECT_EQ(Position::restored(found->checkpoint).epoch, cut - 1) << "the epoch has not ended";
    FakeRun second(path);
    second.options.evaluate_every = 1;
    go_back_to_checkpoint(second.trainer, path);
    EXPECT_EQ(second.train(), Ending::finished);
    EXPECT_EQ(second.task.value(), whole.task.value());
    ASSERT_EQ(second.lines("epoch").size(), 3u);
    for (size_t epoch = 0; epoch < 3; ++epoch) {
      for (const char* key : {"loss", "worth", "steps"}) {
        EXPECT_EQ(second.lines("epoch").at(epoch)[key], whole.lines("epoch").at(epoch)[key]) << key;
      }
    }
  }
}

TEST(Loop, ALossThatIsNoNumberKeepsTheCheckpointBefore) {
  const test::TemporaryFolder folder;
  FakeRun run(folder / "run");
  run.options.pacing.checkpoint_steps = 2;
  run.task.nan_step = 7;
  const double start = run.task.value();
  try {
    run.train();
    FAIL() << "expected Diverged";
  } catch (const Diverged& error) {
    EXPECT_EQ(error.step(), 7);
    EXPECT_THAT(error.what(), HasSubstr("expected a finite loss, got NaN or infinity at step 7"));
    EXPECT_THAT(error.what(), Not(HasSubstr("orthant resume")));
  }
  EXPECT_EQ(run.task.seen.item<int64_t>(), 7) << "no step follows a loss that is no number";
  EXPECT_LT(run.task.value(), start);
  EXPECT_EQ(read_checkpoint(run.checkpoints())->step, 6);
}

TEST(Loop, WeightsThatAreNoNumbersAreNotSaved) {
  const test::TemporaryFolder folder;
  FakeRun run(folder / "run");
  EXPECT_EQ(run.train_until(5), Ending::stopped);
  run.task.gradient = kNan;
  EXPECT_THAT(test::message_of([&] { run.train(); }), HasSubstr("expected finite weights"));
  EXPECT_EQ(read_checkpoint(run.checkpoints())->step, 5);
  EXPECT_EQ(run.task.published, 1);
}

TEST(Loop, SpeaksAndSavesByTheNumberOfSteps) {
  const test::TemporaryFolder folder;
  FakeRun run(folder / "run");
  run.options.pacing = {.log_steps = 5, .checkpoint_steps = 3, .checkpoint_seconds = 0};
  std::vector<int64_t> saved;
  TrainListener listener;
  listener.step = [&](auto&&...) {
    if (std::filesystem::is_empty(run.checkpoints())) return;
    saved.push_back(read_checkpoint(run.checkpoints())->step);
  };
  EXPECT_EQ(run.train(listener), Ending::finished);
  EXPECT_THAT(run.steps_of("step"), ElementsAre(5, 10));
  EXPECT_THAT(run.steps_of("epoch"), ElementsAre(4, 8, 12));
  // Every third step, and the ends of epochs, which come after their last step: 3, 4, 6, 8, 9, 12.
  EXPECT_THAT(saved, ElementsAre(3, 3, 4, 6, 6, 6, 9, 9, 9, 9));
  EXPECT_EQ(read_checkpoint(run.checkpoints())->step, 12);
  EXPECT_EQ(run.task.published, 3);
}

TEST(Loop, EvaluatesEveryFewEpochsAndAfterTheLast) {
  const test::TemporaryFolder folder;
  const auto evaluated = [&](int64_t every) {
    FakeRun run(folder / ("every-" + std::to_string(every)));
    run.options.evaluate_every = every;
    std::vector<std::string> warnings;
    run.train({.warn = [&](const std::string& text) { warnings.push_back(text); }});
    std::vector<int64_t> steps;
    for (const auto& line : run.lines("epoch")) {
      if (line.contains("worth")) steps.push_back(line["worth"]);
    }
    EXPECT_THAT(run.steps_of("warning"), ElementsAre(steps.front())) << "of one kind only the first";
    EXPECT_THAT(warnings, ElementsAre("look out at " + std::to_string(steps.front())));
    return steps;
  };
  EXPECT_THAT(evaluated(0), ElementsAre(12));
  EXPECT_THAT(evaluated(1), ElementsAre(4, 8, 12));
  EXPECT_THAT(evaluated(2), ElementsAre(8, 12));
}

TEST(Loop, WhatATaskTellsGoesByNameInItsOwnOrder) {
  const test::TemporaryFolder folder;
  FakeRun run(folder / "run");
  std::vector<double> losses;
  std::vector<double> worths;
  TrainListener listener;
  listener.step = [&](const Trainer& trainer, const Scalars& measures) {
    losses.push_back(value_of(measures, "loss"));
    EXPECT_EQ(value_of(measures, "loss") + 1, static_cast<double>(trainer.position().step));
    EXPECT_FALSE(find(measures, "worth").has_value());
  };
  listener.epoch = [&](const MetricsLine& line) { worths.push_back(find(line.scalars, "worth").value_or(-1)); };
  run.train(listener);
  EXPECT_EQ(losses.size(), 12u);
  EXPECT_THAT(worths, ElementsAre(-1, -1, 12));
  EXPECT_THAT(test::read_bytes(run.options.folder + "/metrics.jsonl"),
              HasSubstr(R"("odd":0.0,"rate":3e-05,"loss":0.0)"));
  const Scalars none;
  EXPECT_THAT(test::message_of([&] { value_of(none, "loss"); }), HasSubstr("expected 'loss'"));
}

TEST(Loop, ACheckpointOfAnotherIdentityIsRefused) {
  const test::TemporaryFolder folder;
  FakeRun run(folder / "run");
  run.train_until(2);
  FakeRun other(folder / "run");
  other.task.kind = "other";
  EXPECT_THAT(test::message_of([&] { go_back_to_checkpoint(other.trainer, folder / "run"); }),
              HasSubstr("expected one on the kind other, got one on another"));
}

TEST(Loop, WarnsOfDamagedCheckpointsAndGoesFurtherBack) {
  const test::TemporaryFolder folder;
  FakeRun run(folder / "run");
  run.options.pacing.checkpoint_steps = 1;
  run.train_until(3);
  std::filesystem::resize_file(run.checkpoints() + "/step-000000000003.safetensors", 40);
  FakeRun again(folder / "run");
  std::vector<std::string> warnings;
  go_back_to_checkpoint(again.trainer, folder / "run", [&](const std::string& text) { warnings.push_back(text); });
  EXPECT_EQ(again.trainer.position().step, 2);
  EXPECT_THAT(warnings, ElementsAre(HasSubstr("going back")));
}

TEST(Loop, AFolderWithoutCheckpointsIsAStart) {
  const test::TemporaryFolder folder;
  FakeRun run(folder / "run");
  std::vector<std::string> warnings;
  go_back_to_checkpoint(run.trainer, folder / "run", [&](const std::string& text) { warnings.push_back(text); });
  EXPECT_EQ(run.trainer.position().step, 0);
  EXPECT_THAT(warnings, IsEmpty());
}

}  // namespace
}  // namespace orthant
