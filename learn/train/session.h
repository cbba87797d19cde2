#pragma once

#include <functional>
#include <string>

#include "learn/train/evaluation.h"
#include "learn/train/trainer.h"
#include "orthant/run/metrics_log.h"
#include "orthant/run/run_folder.h"

namespace orthant {

// The data of a recipe: what is learned from and what is held out.
struct TrainingData {
  DatasetPtr train;
  DatasetPtr held_out;
};
TrainingData open_training_data(const Recipe& recipe);

// What leaves a session while it works; each may be empty.
struct SessionListener {
  // After every step. False: save a checkpoint and stop.
  std::function<bool(const Position& position, const StepResult& result)> step;
  // After every epoch that was measured.
  std::function<void(const MetricsLine& line)> epoch;
  // Warnings, each a line of words.
  std::function<void(const std::string& text)> warn;
};

enum class Ending { finished, stopped };

// Trains from trainer.position() to the end: logs, measures, saves checkpoints and the model. Whatever ends it (a stop,
// a kill, a full disk), resuming from the newest checkpoint leads to the same final weights. Throws std::runtime_error
// if the loss or a weight is no longer a finite number; the checkpoint before is kept. IoError if a file cannot be
// written.
Ending train(Trainer& trainer, const TrainingData& data, const RunFolder& folder, const SessionListener& listener = {});

}  // namespace orthant
