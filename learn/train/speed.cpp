#include "learn/train/speed.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <memory>
#include <vector>

#include "learn/task/recipe_task.h"
#include "learn/train/trainer.h"
#include "orthant/core/threads.h"
#include "orthant/data/subset.h"
#include "orthant/data/view_source.h"

namespace orthant {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int64_t kProbeBatch = 32;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

int64_t peak_memory() {
  struct rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return int64_t{usage.ru_maxrss} * 1024;
}

// Of this process now; 0 where the system does not tell.
int64_t memory() {
  int64_t pages = 0;
  int64_t resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

Traffic difference(const Traffic& after, const Traffic& before) {
  return {after.gathers - before.gathers, after.gather_bytes - before.gather_bytes, after.sums - before.sums,
          after.sum_bytes - before.sum_bytes, after.seconds - before.seconds};
}

// Seconds of a step: there and back with all rows, and the optimiser's, which takes as long for few.
struct Step {
  double pass = 0;
  double update = 0;

  double per_item(int64_t batch, int64_t whole) const {
    return pass / static_cast<double>(batch) + update / static_cast<double>(whole);
  }
};

// Training on two batches over and over, so that after the first pass all pictures are in memory.
class Treadmill {
 public:
  Treadmill(Recipe recipe, const DatasetPtr& data, int64_t batch, const Group& group) : recipe_(std::move(recipe)) {
    recipe_.train.batch = batch;
    recipe_.train.epochs = 1 << 20;
    const DatasetPtr few = data->size() > 2 * batch ? subset(data, 2 * batch, 0) : data;
    task_ = make_recipe_task(recipe_, TrainingData{few, nullptr}, group);
    trainer_ = std::make_unique<Trainer>(*task_, recipe_.optimiser, recipe_.train.threads);
    trainer_->begin_epoch();
  }

  Model& model() { return task_->model(); }

  Step step() {
    const auto start = Clock::now();
    if (!trainer_->backward()) {
      trainer_->end_epoch();
      trainer_->begin_epoch();
      trainer_->backward();
    }
    const double pass = seconds_since(start);
    trainer_->step();
    return {pass, seconds_since(start) - pass};
  }

 private:
  Recipe recipe_;
  std::unique_ptr<ModelTask> task_;
  std::unique_ptr<Trainer> trainer_;
};

// The median step of a treadmill that is warm, by item of batches of `whole`.
double time_items(Treadmill& mill, int64_t batch, int64_t whole, double seconds) {
  const auto start = Clock::now();
  std::vector<double> steps;
  do {
    steps.push_back(mill.step().per_item(batch, whole));
  } while (seconds_since(start) < seconds && steps.size() < 1000);
  const auto middle = steps.begin() + static_cast<ptrdiff_t>(steps.size() / 2);
  std::ranges::nth_element(steps, middle);
  return *middle;
}

void time_decoding(const Recipe& recipe, const Dataset& data, Speed& speed) {
  constexpr int64_t kPictures = 16;
  if (data.info().dims > 0 || data.info().text) return;
  const int64_t count = std::min(kPictures, data.size());
  const auto start = Clock::now();
  for (int64_t k = 0; k < count; ++k) {
    const Image image = view_source(data, k * data.size() / count, recipe.views.size, recipe.views.sound);
    speed.bytes_per_picture += static_cast<int64_t>(image.pixels.size()) / count;
  }
  const double threads = resolve_threads(static_cast<int>(recipe.train.threads));
  speed.seconds_per_decode = seconds_since(start) / static_cast<double>(count) / threads;
}

}  // namespace

Speed measure_speed(const Recipe& recipe, const DatasetPtr& data, double seconds, const Group& group) {
  Speed speed;
  time_decoding(recipe, *data, speed);
  const int64_t whole = std::min(recipe.train.batch, data->size());  // more than a small graph's nodes are edges
  int64_t batch = std::min(whole, kProbeBatch * group.size());
  int64_t before = memory();
  auto mill = std::make_unique<Treadmill>(recipe, data, batch, group);
  speed.parameters = mill->model().parameter_count();
  speed.flops_per_item = mill->model().flops();
  for (int warm_up = 0; warm_up < 2; ++warm_up) mill->step();
  const double guess = mill->step().per_item(batch, whole);
  if (batch < whole && guess * static_cast<double>(4 * whole) <= seconds) {
    batch = whole;
    mill.reset();
    mill = std::make_unique<Treadmill>(recipe, data, batch, group);
    for (int warm_up = 0; warm_up < 2; ++warm_up) mill->step();
  }
  const Traffic told = group.traffic();
  mill->step();
  speed.step = difference(group.traffic(), told);
  speed.step.gather_bytes = speed.step.gather_bytes * whole / batch;  // nearly all of it is rows
  speed.seconds_per_item = time_items(*mill, batch, whole, seconds / 2);
  const int64_t peak = peak_memory();
  before = std::min(before, peak);
  speed.peak_bytes = before + (peak - before) * whole / batch;
  return speed;
}

}  // namespace orthant
