#include "learn/train/supervised_learning.h"

#include <chrono>
#include <cmath>
#include <filesystem>

#include "orthant/core/error.h"

namespace orthant {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kEncoder = "encoder";

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// The bookkeeping around the trainer.
struct Bookkeeping {
  SupervisedTrainer& trainer;
  const SupervisedLearning& learning;
  MetricsLog log;
  Clock::time_point last_save = Clock::now();
  Clock::time_point epoch_start = Clock::now();
  int64_t epoch_first_step = 0;

  std::string checkpoints() const { return learning.folder + "/checkpoint"; }

  double epochs_done() const {
    const Position& at = trainer.position();
    return static_cast<double>(at.epoch) + static_cast<double>(at.batch) / static_cast<double>(trainer.batches());
  }

  void begin_epoch() {
    trainer.begin_epoch();
    epoch_start = Clock::now();
    epoch_first_step = trainer.position().step;
  }

  void require(bool finite, const char* what) const {
    if (finite) return;
    throw std::runtime_error(join("[", learning.folder, "] expected ", what, ", got NaN or infinity at step ",
                                  trainer.position().step, "; lower optimiser.rate"));
  }

  void log_step(const SupervisedStep& result) {
    const int64_t step = trainer.position().step;
    if (step % learning.recipe.train.log_steps != 0) return;
    log.add(
        {"step", step, epochs_done(), {{"loss", result.loss}, {"rate", result.rate}, {"accuracy", result.accuracy}}});
  }

  void save() {
    require(trainer.weights_are_finite(), "finite weights");
    Checkpoint checkpoint = trainer.save();
    checkpoint.facts[kEncoder] = learning.encoder;
    write_checkpoint(checkpoints(), trainer.position().step, checkpoint);
    last_save = Clock::now();
  }

  void save_if_due() {
    const SupervisedOptions& options = learning.recipe.train;
    if (trainer.position().batch == trainer.batches()) return;  // the end of the epoch saves
    const bool by_steps = options.checkpoint_steps > 0 && trainer.position().step % options.checkpoint_steps == 0;
    const bool by_time = options.checkpoint_seconds > 0 && seconds_since(last_save) >= options.checkpoint_seconds;
    if (by_steps || by_time) save();
  }

  bool told_to_stop(const SupervisedStep& result) const {
    return learning.listener.step && !learning.listener.step(learning.seed, trainer, result);
  }

  void report_epoch(double rate) {
    const EpochTally& tally = trainer.tally();
    const double seconds = seconds_since(epoch_start);
    const auto images = static_cast<double>((trainer.position().step - epoch_first_step) * trainer.batch());
    const MetricsLine line{"epoch",
                           trainer.position().step,
                           epochs_done(),
                           {{"loss", tally.loss / tally.steps},
                            {"accuracy", tally.correct / tally.counted},
                            {"rate", rate},
                            {"seconds", seconds},
                            {"images_per_second", images / seconds}}};
    log.add(line);
    if (learning.listener.epoch) learning.listener.epoch(learning.seed, line);
  }
};

void go_back_to_checkpoint(SupervisedTrainer& trainer, const SupervisedLearning& learning) {
  const std::string folder = learning.folder + "/checkpoint";
  std::filesystem::create_directories(folder);
  const auto found = read_checkpoint(folder);
  if (!found) return;
  for (const std::string& line : found->refused) {
    if (learning.listener.warn) learning.listener.warn(line + "; going back");
  }
  const auto encoder = found->checkpoint.facts.find(kEncoder);
  check_io(encoder != found->checkpoint.facts.end() && encoder->second == learning.encoder, "[", folder,
           "] expected a checkpoint on the encoder ", learning.encoder, ", got one on another; start anew with ",
           "--overwrite");
  trainer.restore(found->checkpoint);
}

}  // namespace

Ending learn_supervised(SupervisedTrainer& trainer, const SupervisedLearning& learning) {
  go_back_to_checkpoint(trainer, learning);
  Bookkeeping books{trainer, learning, MetricsLog(learning.folder, trainer.position().step)};
  while (!trainer.finished()) {
    books.begin_epoch();
    double rate = 0;
    while (const auto result = trainer.step()) {
      books.require(std::isfinite(result->loss), "a finite loss");
      books.log_step(*result);
      books.save_if_due();
      rate = result->rate;
      if (books.told_to_stop(*result)) {
        books.save();
        return Ending::stopped;
      }
    }
    books.report_epoch(rate);
    trainer.end_epoch();
    books.save();
  }
  return Ending::finished;
}

}  // namespace orthant
