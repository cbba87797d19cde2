// Speed of training two towers: pictures to crops, captions to ids, both networks, loss, gradients, step. The peer is
// pairs_peer.py.
//
//   pairs_bench BATCH STEPS THREADS
//
// prints one JSON line with the median rate of pairs.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

#include "learn/task/pair_task.h"
#include "learn/train/memory.h"
#include "learn/train/trainer.h"
#include "orthant/towers/pair_recipe.h"

namespace {

using namespace orthant;
using Clock = std::chrono::steady_clock;

int run(int64_t batch, int64_t steps, int64_t threads) {
  keep_freed_memory();
  const std::vector<SettingsLayer> layers = {{"pairs_bench",
                                              {{"data.with", "captions"},
                                               {"data.train_size", batch * (steps + 1)},
                                               {"train.batch", batch},
                                               {"train.threads", threads},
                                               {"train.epochs", int64_t{1}}}}};
  PairRecipe recipe = make_pair_recipe(layers);
  const PairedParts data = open_paired_parts(recipe);
  fit_pairs(recipe, layers, data.train);
  PairTask task(recipe, data);
  Trainer trainer(task, recipe.optimiser, threads);
  trainer.begin_epoch();
  std::vector<double> seconds;
  double loss = 0;
  auto start = Clock::now();
  while (const auto measures = trainer.backward()) {
    trainer.step();
    loss = value_of(*measures, "loss");
    const auto now = Clock::now();
    seconds.push_back(std::chrono::duration<double>(now - start).count());
    start = now;
  }
  seconds.erase(seconds.begin());
  std::ranges::sort(seconds);
  std::printf(
      "{\"program\": \"orthant\", \"batch\": %lld, \"threads\": %lld, \"pairs_per_second\": %.2f, \"loss\": %.4f}\n",
      static_cast<long long>(batch), static_cast<long long>(threads),
      static_cast<double>(batch) / seconds[seconds.size() / 2], loss);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: pairs_bench BATCH STEPS THREADS\n");
    return 2;
  }
  try {
    return run(std::atoll(argv[1]), std::atoll(argv[2]), std::atoll(argv[3]));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "pairs_bench: %s\n", error.what());
    return 1;
  }
}
