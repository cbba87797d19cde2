#include "learn/train/trainer.h"

#include <ATen/ATen.h>

#include <cmath>

#include "learn/train/tensor_bytes.h"
#include "orthant/core/error.h"

namespace orthant {

Trainer::Trainer(Task& task, const OptimiserOptions& options, int64_t threads)
    : task_(task),
      extent_(task.extent()),
      optimiser_([&task](const TensorVisitor& visit) { task.visit_parameters(visit); }, options,
                 static_cast<int>(threads)),
      schedule_(make_schedule(options, extent_.batch, extent_.batches, extent_.epochs)) {}

double Trainer::epochs_done() const {
  return static_cast<double>(position_.epoch) +
         static_cast<double>(position_.batch) / static_cast<double>(extent_.batches);
}

void Trainer::begin_epoch() { task_.begin_epoch(position_.epoch, position_.batch); }

std::optional<Scalars> Trainer::backward() {
  optimiser_.clear_gradients();
  return task_.backward(moment(), tally_);
}

void Trainer::step() {
  const Moment now = moment();
  optimiser_.step(now.rate);
  task_.step(now);
  ++position_.batch;
  ++position_.step;
  ++tally_.steps;
}

void Trainer::end_epoch() {
  ++position_.epoch;
  position_.batch = 0;
  tally_ = {};
}

bool Trainer::weights_are_finite() {
  bool finite = true;
  task_.visit_parameters([&](const std::string&, at::Tensor& weights) {
    finite = finite && std::isfinite(weights.detach().sum().item<double>());
  });
  return finite;
}

Checkpoint Trainer::save() {
  Checkpoint checkpoint;
  visit_all([&](const std::string& name, at::Tensor& tensor) { checkpoint.tensors[name] = to_file_tensor(tensor); });
  for (const auto& [name, value] : task_.identity()) checkpoint.facts[name] = value;
  position_.save(checkpoint);
  tally_.save(checkpoint);
  return checkpoint;
}

void Trainer::restore(const Checkpoint& checkpoint) {
  for (const auto& [name, value] : task_.identity()) {
    const auto found = checkpoint.facts.find(name);
    check_io(found != checkpoint.facts.end() && found->second == value, "[checkpoint] expected one on the ", name, " ",
             value, ", got one on another; the run has to start anew");
  }
  visit_all(
      [&](const std::string& name, at::Tensor& target) { from_file_tensor(checkpoint.tensor(name), name, target); });
  position_ = Position::restored(checkpoint);
  tally_ = EpochTally::restored(checkpoint);
}

Moment Trainer::moment() const {
  return {position_.step, schedule_.total, schedule_.at(position_.step), schedule_.peak};
}

// Everything that a checkpoint holds, under one name each.
void Trainer::visit_all(const TensorVisitor& visit) {
  task_.visit_parameters(with_prefix("model.", visit));
  optimiser_.visit_state(with_prefix("optimiser.", visit));
  task_.visit_state(visit);
}

}  // namespace orthant
