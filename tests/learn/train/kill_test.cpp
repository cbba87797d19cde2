// A program of its own: the parent only forks and waits, so that every child starts LibTorch's threads afresh.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <thread>

#include "learn/train/loop.h"
#include "orthant/core/rng.h"
#include "orthant/io/atomic_file.h"
#include "tests/learn/train/support.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

constexpr int kKills = 50;

Recipe killed_recipe() {
  Recipe recipe = test::tiny_recipe();
  recipe.train.epochs = 40;
  recipe.train.pacing.checkpoint_steps = 2;
  return recipe;
}

// What `pretrain` and `resume` do, whichever is due.
void begin_or_continue(const std::string& path) {
  const Recipe recipe = killed_recipe();
  const TrainingData data = {std::make_shared<test::Clusters>(40, 6, 4), std::make_shared<test::Clusters>(20, 6, 4)};
  const bool started = is_run(path);
  const RunFolder folder = started ? RunFolder::open(path) : RunFolder::create(path);
  test::Pretraining session(recipe, data);
  if (!started) io::write_file(folder.recipe_file(), recipe_text(recipe));
  if (const auto found = read_checkpoint(folder.checkpoint_folder())) session.trainer.restore(found->checkpoint);
  train(session.trainer, test::loop_options(recipe, folder));
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

TEST(Kill, FiftyKillsAtRandomMomentsEndInTheSameBytes) {
  const test::TemporaryFolder folder;
  ASSERT_EQ(in_child([&] { begin_or_continue(folder / "whole"); }), 0);
  const std::string expected = test::read_bytes(folder / "whole/model.safetensors");
  ASSERT_FALSE(expected.empty());

  Rng rng(1);
  int finished = 0;
  std::string run = folder / "run-0";
  for (int kills = 0; kills < kKills;) {
    const auto delay = std::chrono::microseconds(rng.below(40'000));
    const int status = in_child([&] {
      std::thread([delay] {
        std::this_thread::sleep_for(delay);
        ::kill(::getpid(), SIGKILL);
      }).detach();
      begin_or_continue(run);
    });
    if (WIFSIGNALED(status)) {
      ++kills;
      continue;
    }
    ASSERT_EQ(status, 0);
    EXPECT_EQ(test::read_bytes(run + "/model.safetensors"), expected);
    run = folder / ("run-" + std::to_string(++finished));
  }
  ASSERT_EQ(in_child([&] { begin_or_continue(run); }), 0);
  EXPECT_EQ(test::read_bytes(run + "/model.safetensors"), expected);
}

}  // namespace
}  // namespace orthant
