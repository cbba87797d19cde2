#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "learn/train/agreement.h"
#include "learn/train/communication.h"
#include "learn/train/loop.h"
#include "learn/train/speed.h"
#include "tests/learn/group/training.h"
#include "tests/support/message_of.h"

namespace orthant {
namespace {

using test::Clusters;
using test::in_ranks;
using test::tiny_recipe;
using ::testing::HasSubstr;

TEST(Communication, IsThatOfRings) {
  const Traffic step{.gathers = 3, .gather_bytes = 1000, .sums = 2, .sum_bytes = 4000};
  const Wire wire{.bytes_per_second = 1e6, .latency = 1e-3};
  const Communication four = communication_of(step, 4, wire);
  EXPECT_DOUBLE_EQ(four.gathers, 3 * (3 * 1e-3 + 1e-3));
  EXPECT_DOUBLE_EQ(four.sums, 2 * 3 * (2 * 1e-3 + 1e-3));
  const Communication one = communication_of(step, 1, wire);
  EXPECT_EQ(one.gathers + one.sums, 0);
  EXPECT_DOUBLE_EQ(step_seconds(0.01, {.gathers = 0.002, .sums = 0.004}), 0.012);  // the sums hide
  EXPECT_DOUBLE_EQ(step_seconds(0.01, {.gathers = 0.002, .sums = 0.008}), 0.015);
}

TEST(Communication, OfARehearsalIsThatOfTheRealGroup) {
  const auto data = std::make_shared<Clusters>(40, 6, 4);
  Recipe recipe = tiny_recipe();
  const Speed planned = measure_speed(recipe, data, 0.01, rehearsed_group(2));
  in_ranks(2, [&](const Group& group) {
    const auto task = make_recipe_task(recipe, {data, nullptr}, group);
    Trainer trainer(*task, recipe.optimiser, 1);
    trainer.begin_epoch();
    const Traffic before = group.traffic();
    trainer.backward();
    trainer.step();
    const Traffic after = group.traffic();
    EXPECT_EQ(after.gathers - before.gathers, planned.step.gathers);
    EXPECT_EQ(after.gather_bytes - before.gather_bytes, planned.step.gather_bytes);
    EXPECT_EQ(after.sum_bytes - before.sum_bytes, planned.step.sum_bytes);
  });
  int64_t parameters = 0;
  make_recipe_task(recipe, {data, nullptr})->visit_parameters([&](const std::string&, at::Tensor& tensor) {
    parameters += tensor.numel();
  });
  EXPECT_EQ(planned.step.sum_bytes, 4 * parameters);
}

std::string refusal(const std::function<void(Recipe& recipe, DatasetPtr& data)>& change) {
  return test::message_of([&] {
    in_ranks(2, [&](const Group& group) {
      Recipe recipe = make_recipe({});
      DatasetPtr data = std::make_shared<Clusters>(40, 6, 4);
      if (group.rank() == 1) change(recipe, data);
      check_agreement(group, recipe, *data);
    });
  });
}

TEST(Agreement, RefusesOtherRecipesAndDataWithWhatDiffers) {
  EXPECT_EQ(refusal([](Recipe& recipe, DatasetPtr&) { recipe.train.batch = 17; }),
            "[rank 1] expected the recipe of rank 0, got train.batch: 256 -> 17");
  EXPECT_THAT(refusal([](Recipe&, DatasetPtr& data) { data = std::make_shared<Clusters>(41, 6, 4); }),
              HasSubstr("[rank 1] expected the data of rank 0, 40 items of 4 classes, checksum "));
  EXPECT_THAT(refusal([](Recipe&, DatasetPtr& data) { data = std::make_shared<Clusters>(40, 6, 5); }),
              HasSubstr("got 40 items of 5 classes"));
  EXPECT_EQ(refusal([](Recipe& recipe, DatasetPtr&) {
              recipe.train.threads = 3;                 // does not change the course
              recipe.data.source = "folder:elsewhere";  // may lie elsewhere on another machine
            }),
            "nothing was thrown");
}

// What two ranks saved, three go on with, and one; where each of them is, is the same.
TEST(Resume, GoesOnWithAnyNumberOfRanksWhereTheOthersWere) {
  const test::TemporaryFolder folder;
  const auto data = std::make_shared<Clusters>(40, 6, 4);
  Recipe recipe = tiny_recipe();
  recipe.eval.every = 0;
  const auto session = [&](const Group& group, int64_t stop_at) {
    const auto task = make_recipe_task(recipe, {data, data}, group);
    Trainer trainer(*task, recipe.optimiser, 1);
    go_back_to_checkpoint(trainer, folder / "run");
    // A stop that one rank alone is asked for.
    const TrainListener listener{
        .stop = [&] { return trainer.position().step == stop_at && group.rank() == group.size() - 1; }};
    const Ending ending = train(trainer, {.folder = folder / "run"}, listener);
    EXPECT_EQ(ending == Ending::stopped, stop_at < trainer.total_steps());
    return trainer.position().step;
  };
  in_ranks(2, [&](const Group& group) { EXPECT_EQ(session(group, 3), 3); });
  in_ranks(3, [&](const Group& group) { EXPECT_EQ(session(group, 8), 8); });
  EXPECT_EQ(session({}, 1000), 15);
}

}  // namespace
}  // namespace orthant
