#include "learn/train/trainer.h"

#include <ATen/ATen.h>

#include <cmath>

#include "learn/train/tensor_bytes.h"
#include "orthant/core/error.h"

namespace orthant {

Trainer::Trainer(Task& task, const OptimiserOptions& options, int64_t threads)
    : task_(task),
      group_(task.group()),
      extent_(task.extent()),
      optimiser_([&task](const TensorVisitor& visit) { task.visit_parameters(visit); }, options,
                 static_cast<int>(threads), [&task](const std::string& name) { return task.decays(name); }),
      reducer_([&task](const TensorVisitor& visit) { task.visit_parameters(visit); }, group_),
      schedule_(make_schedule(options, extent_.batch, extent_.batches, extent_.epochs)) {}

double Trainer::epochs_done() const {
  return static_cast<double>(position_.epoch) +
         static_cast<double>(position_.batch) / static_cast<double>(extent_.batches);
}

void Trainer::begin_epoch() { task_.begin_epoch(position_.epoch, position_.batch); }

std::optional<Scalars> Trainer::backward() {
  optimiser_.clear_gradients();
  reducer_.begin(!extent_.in_pieces);
  const auto measures = task_.backward(moment(), tally_);
  if (measures && std::isfinite(value_of(*measures, "loss"))) reducer_.finish();
  return measures;
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

void Trainer::follow_first() {
  if (group_.alone()) return;
  visit_all([&](const std::string&, at::Tensor& tensor) { group_.broadcast(tensor, "the state of rank 0"); });
  const at::Tensor place =
      at::tensor(std::vector<int64_t>{position_.epoch, position_.batch, position_.step}, at::kLong);
  const at::Tensor sums = at::tensor(
      std::vector<double>{tally_.loss, tally_.steps, tally_.correct, tally_.counted, tally_.zero_rows}, at::kDouble);
  group_.broadcast(place, "the place of rank 0");
  group_.broadcast(sums, "the place of rank 0");
  const auto* at = place.data_ptr<int64_t>();
  const auto* sum = sums.data_ptr<double>();
  position_ = {at[0], at[1], at[2]};
  tally_ = {sum[0], sum[1], sum[2], sum[3], sum[4]};
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
