#include "learn/train/plan.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>

namespace orthant {
namespace {

constexpr int kTimed = 3;

int64_t peak_memory() {
  struct rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return int64_t{usage.ru_maxrss} * 1024;
}

}  // namespace

Plan make_plan(Trainer& trainer) {
  using Clock = std::chrono::steady_clock;
  Plan plan;
  plan.parameters = trainer.model().parameter_count();
  plan.flops_per_image = trainer.model().flops();
  plan.steps = trainer.total_steps();
  plan.steps_per_epoch = trainer.batches();
  trainer.begin_epoch();
  for (int i = 0; i <= kTimed; ++i) {
    const auto start = Clock::now();
    if (!trainer.step()) break;
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    const bool first = i <= 1;  // the warm-up counts only if there is no other
    plan.seconds_per_step = first ? seconds : std::min(plan.seconds_per_step, seconds);
  }
  plan.images_per_second = static_cast<double>(trainer.recipe().train.batch) / plan.seconds_per_step;
  plan.seconds = plan.seconds_per_step * static_cast<double>(plan.steps);
  plan.peak_bytes = peak_memory();
  return plan;
}

}  // namespace orthant
