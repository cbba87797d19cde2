#pragma once

#include <functional>
#include <stdexcept>
#include <string>

#include "learn/train/trainer.h"
#include "orthant/run/metrics_log.h"
#include "orthant/run/pacing_options.h"

namespace orthant {

// Where a run leaves what it has, and when.
struct LoopOptions {
  std::string folder;  // of metrics.jsonl and checkpoint/; made if it is not there
  PacingOptions pacing = {};
  int64_t evaluate_every = 0;  // epochs; 0: only after the last one
};

// What leaves the loop while it works; each may be empty.
struct TrainListener {
  // Asked after every step and every epoch, before anybody is told of the step, and every now and then while the task
  // is evaluated. True: the loop saves a checkpoint and ends; an evaluation that it cut short is done again by the loop
  // that goes on.
  std::function<bool()> stop = {};
  // After every step that the loop does not end with, with what it told. What it throws ends the loop unsaved. The
  // others only on rank 0.
  std::function<void(const Trainer& trainer, const Scalars& measures)> step = {};
  // After every epoch.
  std::function<void(const MetricsLine& line)> epoch = {};
  // Warnings, each a line of words; of one kind only the first.
  std::function<void(const std::string& text)> warn = {};
};

enum class Ending { finished, stopped };

// A loss or a weight that is NaN or infinite.
class Diverged : public std::runtime_error {
 public:
  Diverged(const std::string& message, int64_t step) : std::runtime_error(message), step_(step) {}
  int64_t step() const { return step_; }  // steps that had been done

 private:
  int64_t step_;
};

// Puts the trainer where the newest undamaged checkpoint of `folder` was, with a warning for each damaged one; leaves
// it at the start if there is none. Rank 0 alone reads it, and the others follow. IoError if all are damaged, or
// Trainer::restore() refuses it.
void go_back_to_checkpoint(Trainer& trainer, const std::string& folder,
                           const std::function<void(const std::string& text)>& warn = {});

// Trains from trainer.position() to the end: logs, evaluates, saves checkpoints and what the task publishes. Whatever
// ends it (a stop, a kill, a full disk), going on from the newest checkpoint leads to the same final weights. All ranks
// of the trainer's group call it; rank 0 alone writes and evaluates, a stop that is asked of one stops all. Diverged
// if the loss or a weight is no longer a finite number; the checkpoint before is kept. IoError if a file cannot be
// written.
Ending train(Trainer& trainer, const LoopOptions& options, const TrainListener& listener = {});

}  // namespace orthant
