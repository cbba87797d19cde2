#include "cli/towers/pair_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "cli/frame/duration.h"
#include "cli/frame/progress.h"
#include "learn/task/pair_task.h"
#include "learn/train/trainer.h"

namespace orthant::cli {
namespace {

// The median step after a warm-up, of as many as fit into a few seconds.
double seconds_per_step(PairTask& task, const PairRecipe& recipe) {
  using Clock = std::chrono::steady_clock;
  constexpr double kSeconds = 5;
  constexpr size_t kWarmup = 2;
  Trainer trainer(task, recipe.optimiser, recipe.train.threads);
  const auto since = [](Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  std::vector<double> steps;
  const auto begin = Clock::now();
  for (int64_t epoch = 0; epoch < recipe.train.epochs; ++epoch) {
    task.begin_epoch(epoch, 0);
    for (auto start = Clock::now(); trainer.backward(); start = Clock::now()) {
      trainer.step();
      steps.push_back(since(start));
      if (since(begin) > kSeconds && steps.size() > 2 * kWarmup) break;
    }
    if (since(begin) > kSeconds) break;
  }
  const auto first = steps.begin() + static_cast<ptrdiff_t>(std::min(kWarmup, steps.size() - 1));
  const auto middle = first + (steps.end() - first) / 2;
  std::nth_element(first, middle, steps.end());
  return *middle;
}

}  // namespace

void print_pair_plan(const PairRecipe& recipe, const PairedData& train, bool json, bool quiet) {
  PairTask task(recipe, {train, {}});
  const Extent extent = task.extent();
  const int64_t steps = extent.batches * extent.epochs;
  const int64_t parameters = task.model(Tower::a).parameter_count() + task.model(Tower::b).parameter_count();
  Progress progress(quiet);
  progress.update({"measure speed", 0, 1, "networks"});
  const double step = seconds_per_step(task, recipe);
  progress.clear();
  const double seconds = step * static_cast<double>(steps);
  if (json) {
    const nlohmann::ordered_json document = {{"seconds_training", seconds},
                                             {"parameters", parameters},
                                             {"pairs_per_second", static_cast<double>(extent.batch) / step},
                                             {"steps", steps},
                                             {"steps_per_epoch", extent.batches},
                                             {"recipe", pair_text(recipe)}};
    fmt::print("{}\n", document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    return;
  }
  fmt::print("time          {:>12}  of training; evaluations come on top\n", duration_text(seconds));
  fmt::print("parameters    {:>12}  of both towers\n", parameters);
  fmt::print("pairs/s       {:>12.4g}  measured just now\n", static_cast<double>(extent.batch) / step);
  fmt::print("steps         {:>12}  {} epochs of {}\n\n", steps, extent.epochs, extent.batches);
  fmt::print("{}", pair_text(recipe));
}

}  // namespace orthant::cli
