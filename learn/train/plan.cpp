#include "learn/train/plan.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>

#include "learn/task/contrastive_task.h"
#include "learn/train/trainer.h"

namespace orthant {
namespace {

constexpr int kTimed = 3;

int64_t peak_memory() {
  struct rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return int64_t{usage.ru_maxrss} * 1024;
}

}  // namespace

Plan make_plan(const Recipe& recipe, const DatasetPtr& data) {
  using Clock = std::chrono::steady_clock;
  ContrastiveTask task(recipe, {data, nullptr});
  Trainer trainer(task, recipe.optimiser, recipe.train.threads);
  Plan plan;
  plan.parameters = task.model().parameter_count();
  plan.flops_per_image = task.model().flops();
  plan.steps = trainer.total_steps();
  plan.steps_per_epoch = trainer.batches();
  trainer.begin_epoch();
  for (int i = 0; i <= kTimed; ++i) {
    const auto start = Clock::now();
    if (!trainer.backward()) break;
    trainer.step();
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    const bool first = i <= 1;  // the warm-up counts only if there is no other
    plan.seconds_per_step = first ? seconds : std::min(plan.seconds_per_step, seconds);
  }
  plan.images_per_second = static_cast<double>(recipe.train.batch) / plan.seconds_per_step;
  plan.seconds = plan.seconds_per_step * static_cast<double>(plan.steps);
  plan.peak_bytes = peak_memory();
  return plan;
}

}  // namespace orthant
