// A program of its own: the parent only forks and waits, so that every child starts LibTorch's threads afresh.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <thread>

#include "learn/task/recipe_task.h"
#include "learn/train/loop.h"
#include "orthant/core/rng.h"
#include "orthant/io/atomic_file.h"
#include "tests/learn/task/pair_support.h"
#include "tests/learn/train/support.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

Recipe killed_recipe(const std::string& method) {
  Recipe recipe = test::tiny_recipe();
  const Recipe other = make_recipe({{"test", {{"train.method", method}}}});
  recipe.train.method = method;
  recipe.train.view_count = other.train.view_count;
  recipe.activation = other.activation;
  recipe.loss = other.loss;
  recipe.train.epochs = 40;
  recipe.train.pacing.checkpoint_steps = 2;
  return recipe;
}

// What the commands that train and `resume` do, whichever is due.
void begin_or_continue(const Recipe& recipe, const std::string& path) {
  const TrainingData data = {std::make_shared<test::Clusters>(40, 6, 4), std::make_shared<test::Clusters>(20, 6, 4)};
  const bool started = is_run(path);
  const RunFolder folder = started ? RunFolder::open(path) : RunFolder::create(path);
  const auto task = make_recipe_task(recipe, data);
  Trainer trainer(*task, recipe.optimiser, 1);
  if (!started) io::write_file(folder.recipe_file(), recipe_text(recipe));
  if (const auto found = read_checkpoint(folder.checkpoint_folder())) trainer.restore(found->checkpoint);
  train(trainer, test::loop_options(recipe, folder));
}

// The exit status of a child that does `work`.
int in_child(const std::function<void()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    try {
      work();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "child: %s\n", error.what());
      _exit(3);
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

// The same for two towers.
void begin_or_continue_pairs(const std::string& path) {
  const PairRecipe recipe = test::tiny_pairs({{"train.epochs", int64_t{40}}, {"train.checkpoint_steps", int64_t{2}}});
  const bool started = is_run(path);
  const RunFolder folder = started ? RunFolder::open(path) : RunFolder::create(path);
  test::Pairing session(recipe);
  if (!started) io::write_file(folder.recipe_file(), pair_text(recipe));
  if (const auto found = read_checkpoint(folder.checkpoint_folder())) session.trainer.restore(found->checkpoint);
  train(session.trainer, test::loop_options(recipe, folder));
}

// Kills `work` on a run at `wanted` random moments and goes on, over and over; every run that ends must have the files
// of one that nobody disturbed.
void kill_over_and_over(int wanted, const std::function<void(const std::string& run)>& work,
                        const std::vector<std::string>& files) {
  const test::TemporaryFolder folder;
  ASSERT_EQ(in_child([&] { work(folder / "whole"); }), 0);
  const auto contents = [&](const std::string& run) {
    std::vector<std::string> bytes;
    for (const std::string& file : files) bytes.push_back(test::read_bytes(run + "/" + file));
    return bytes;
  };
  const std::vector<std::string> expected = contents(folder / "whole");
  ASSERT_FALSE(expected.back().empty());

  Rng rng(1);
  int finished = 0;
  std::string run = folder / "run-0";
  for (int kills = 0; kills < wanted;) {
    const auto delay = std::chrono::microseconds(rng.below(40'000));
    const int status = in_child([&] {
      std::thread([delay] {
        std::this_thread::sleep_for(delay);
        ::kill(::getpid(), SIGKILL);
      }).detach();
      work(run);
    });
    if (WIFSIGNALED(status)) {
      ++kills;
      continue;
    }
    ASSERT_EQ(status, 0);
    EXPECT_EQ(contents(run), expected);
    run = folder / ("run-" + std::to_string(++finished));
  }
  ASSERT_EQ(in_child([&] { work(run); }), 0);
  EXPECT_EQ(contents(run), expected);
}

// A run of one network, by a method of its own.
void kill_method(int wanted, const std::string& method) {
  const Recipe recipe = killed_recipe(method);
  kill_over_and_over(wanted, [&](const std::string& run) { begin_or_continue(recipe, run); }, {"model.safetensors"});
}

TEST(Kill, FiftyKillsAtRandomMomentsEndInTheSameBytes) { kill_method(50, "ncl"); }

TEST(Kill, WhatLearnsFromLabelsEndsInTheSameBytesToo) {
  for (const char* method : {"nce", "nsupcon"}) kill_method(20, method);
}

TEST(Kill, FiftyKillsOfTwoTowersEndInTheSameBytes) {
  kill_over_and_over(50, begin_or_continue_pairs, {"model.safetensors", "model-b.safetensors"});
}

}  // namespace
}  // namespace orthant
