#pragma once

#include <cstdint>
#include <optional>

#include "learn/task/task.h"
#include "learn/train/optimiser.h"
#include "learn/train/reducer.h"
#include "orthant/run/checkpoint.h"
#include "orthant/run/position.h"
#include "orthant/run/schedule.h"

namespace orthant {

// A task on its way: optimiser, schedule, and where it is. Knows nothing of files. Everything that decides its future
// is in save(), so that a trainer that was made anew and restored goes on bit for bit, given the same number of
// threads. One thread at a time.
class Trainer {
 public:
  // At the start. Borrows the task, which must outlive it. `threads`: of the optimiser; 0 is all.
  Trainer(Task& task, const OptimiserOptions& options, int64_t threads);

  Task& task() { return task_; }
  const Group& group() const { return group_; }  // the task's
  const Position& position() const { return position_; }
  const EpochTally& tally() const { return tally_; }  // of this epoch so far
  int64_t batches() const { return extent_.batches; }
  int64_t epochs() const { return extent_.epochs; }
  int64_t batch() const { return extent_.batch; }  // items in a batch
  int64_t total_steps() const { return schedule_.total; }
  double epochs_done() const;  // with the part of this one
  bool finished() const { return position_.epoch >= extent_.epochs; }

  // Goes to position().
  void begin_epoch();
  // Gradients of the next batch, summed over all ranks, and what it tells; see Task::backward(). Nothing when the epoch
  // is over.
  std::optional<Scalars> backward();
  // The weights follow the gradients of the last backward(). In between, gradients may be changed.
  void step();
  // Moves on to the next epoch.
  void end_epoch();

  // False if a weight is NaN or infinite.
  bool weights_are_finite();

  Checkpoint save();
  // IoError if it belongs to another network or is not of this task's identity.
  void restore(const Checkpoint& checkpoint);
  // Every rank goes to where rank 0 is, with all that it has. For all ranks together, before the first step.
  void follow_first();

 private:
  Moment moment() const;
  void visit_all(const TensorVisitor& visit);

  Task& task_;
  Group group_;
  Extent extent_;
  Optimiser optimiser_;
  Reducer reducer_;
  Schedule schedule_;
  Position position_;
  EpochTally tally_;
};

}  // namespace orthant
