#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

#include "orthant/adapt/feed.h"
#include "orthant/adapt/learner.h"
#include "orthant/adapt/material.h"
#include "orthant/adapt/recipe.h"
#include "orthant/adapt/watch.h"
#include "orthant/run/metrics_log.h"
#include "orthant/run/position.h"
#include "orthant/run/schedule.h"

namespace orthant::adapt {

// What leaves the loop while it works; each may be empty.
struct SessionListener {
  // Asked after every step. True: a checkpoint is written and the loop ends.
  std::function<bool()> stop = {};
  std::function<void(int64_t step, int64_t steps, const StepReport& report)> step = {};
  std::function<void(const MetricsLine& line)> epoch = {};
};

// A loss that is NaN or infinite.
class Diverged : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// One run of learning, from its start or from a checkpoint to its end. One thread at a time.
class Session {
 public:
  // The recipe is resolved (fit_to_rows()); both are borrowed. Makes the adapter that learning starts from.
  Session(const AdaptRecipe& recipe, const Material& material);

  // Goes to the newest undamaged checkpoint of the run, if there is one; returns a line for each damaged one. IoError
  // if it is of other vectors.
  std::vector<std::string> go_back_to_checkpoint(const std::string& run);

  const Position& position() const { return position_; }
  int64_t steps() const { return schedule_.total; }
  bool finished() const { return position_.epoch == recipe_.train.epochs; }

  // Learns to the end, in the folder of a run: metrics.jsonl, checkpoint/, model.safetensors, and at the end
  // result.json. False if it was told to stop. Whatever ends it, going on from the newest checkpoint leads to the same
  // bits. Diverged if the loss is no longer finite; IoError if a file cannot be written.
  bool learn(const std::string& run, const SessionListener& listener = {});

  const Adapter& adapter() const { return learner_.adapter(); }
  const Watch& watch() const { return watch_; }
  // What the finished adapter keeps; see Watch::table(). Empty without held-out rows.
  const std::vector<Kept>& table() const { return table_; }

 private:
  struct Books;
  Checkpoint checkpoint() const;
  Scalars step_scalars(const StepReport& report) const;

  const AdaptRecipe& recipe_;
  const Material& material_;
  Learner learner_;
  Feed feed_;
  Watch watch_;
  Schedule schedule_;
  Position position_;
  std::vector<Kept> table_;
};

// Bytes that learning takes: weights and moments, batches and tiles, held vectors and rows looked at.
struct AdaptMemory {
  int64_t weights = 0;
  int64_t batch = 0;
  int64_t vectors = 0;
  int64_t watch = 0;

  int64_t total() const { return weights + batch + vectors + watch; }
};
AdaptMemory memory_of(const AdaptRecipe& recipe, const Material& material);

}  // namespace orthant::adapt
