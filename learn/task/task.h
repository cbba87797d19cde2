#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "learn/group/group.h"
#include "learn/nn/tensors.h"
#include "orthant/run/position.h"
#include "orthant/run/scalars.h"

namespace orthant {

// How much there is to do.
struct Extent {
  int64_t batch = 0;    // items in a batch
  int64_t batches = 0;  // in an epoch
  int64_t epochs = 0;
  bool in_pieces = false;  // a batch goes through the network piece by piece: gradients are whole only at the end
};

// The moment of a step in its run.
struct Moment {
  int64_t step = 0;  // steps done before this one
  int64_t steps = 1;
  double rate = 0;
  double peak = 1;  // the highest rate of the run
};

// How an epoch went, as far as it ran in this process.
struct EpochPace {
  double rate = 0;  // of its last step
  double seconds = 0;
  double items_per_second = 0;
};

// Something that a person should know.
struct Warning {
  std::string kind;  // "collapse": what is told once is not told again
  std::string text;  // in words and with advice
};

// What held-out data says.
struct Verdict {
  Scalars measures;
  std::vector<Warning> warnings = {};
};

// Called now and then by what takes long; what it throws ends the work.
using Pause = std::function<void()>;

// `visit` with `prefix` before every name. Borrows `visit`.
TensorVisitor with_prefix(const std::string& prefix, const TensorVisitor& visit);

// What is learned, apart from how: its parameters, the batches that it learns from, the loss and its gradient, and what
// is worth telling. Trainer (learn/train/trainer.h) moves the parameters along the gradients, and knows where the run
// is; train() (learn/train/loop.h) paces it. What it tells goes by name, into metrics.jsonl under that name and in that
// order. One thread at a time.
class Task {
 public:
  virtual ~Task() = default;

  virtual Extent extent() const = 0;
  // The processes that learn this together. Each has a share of every batch and adds its part to the gradients; what is
  // told is of the whole batch, and everything that a checkpoint holds is the same on all of them.
  virtual Group group() const { return {}; }

  // The parameters that follow the gradients; their order does not change.
  virtual void visit_parameters(const TensorVisitor& visit) = 0;
  // Whether weight decay holds for the parameter of this name.
  virtual bool decays(const std::string& name) const {
    static_cast<void>(name);
    return true;
  }
  // Whatever else decides the future, under the names that a checkpoint has for it: everything that a task made anew
  // from the same recipe does not know. The parameters, as "model.NAME", and the optimiser are saved without it.
  virtual void visit_state(const TensorVisitor& visit) = 0;
  // What a checkpoint has to agree with beyond names and shapes, such as the encoder that a classifier is learned on.
  virtual std::map<std::string, std::string> identity() const { return {}; }

  // The next backward() is on batch `batch` of epoch `epoch`; none if that is the number of batches.
  virtual void begin_epoch(int64_t epoch, int64_t batch) = 0;
  // Forward and backward on the next batch, or nothing when the epoch is over. Adds to the gradients, which are zero or
  // undefined before, and leaves the weights as they are. Tells what the batch was like, among it "loss" and "rate",
  // and adds it to the tally. With a "loss" that is no finite number there need be no gradients; no step follows.
  virtual std::optional<Scalars> backward(const Moment& moment, EpochTally& tally) = 0;
  // With every step of the optimiser: what learns beside it takes its own.
  virtual void step(const Moment& moment) { static_cast<void>(moment); }

  // What an epoch was like. `tally` holds all of its steps, also those of a process before this one.
  virtual Scalars epoch_measures(const EpochTally& tally, const EpochPace& pace) const = 0;
  // What the network is worth by now; the network is left as it was, also by what `pause` throws.
  virtual Verdict evaluate(const Pause& pause) {
    static_cast<void>(pause);
    return {};
  }
  // Writes what others may use of it by now into the folder of the run. IoError if that fails.
  virtual void publish(const std::string& folder) { static_cast<void>(folder); }
};

}  // namespace orthant
