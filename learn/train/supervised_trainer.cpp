#include "learn/train/supervised_trainer.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>

#include "learn/nn/layers.h"
#include "learn/nn/nonneg.h"
#include "learn/train/encode.h"
#include "learn/train/optimiser.h"
#include "learn/train/tensor_bytes.h"
#include "orthant/core/error.h"
#include "orthant/run/schedule.h"

namespace orthant {
namespace {

constexpr uint64_t kHeadSeed = 0xc2b2ae3d27d4eb4f;  // keeps the classifier's stream apart from the encoder's

LoaderOptions loader_options(const SupervisedRecipe& recipe, int64_t items, uint64_t seed) {
  const SupervisedOptions& train = recipe.train;
  LoaderOptions options;
  options.batch = std::clamp<int64_t>(train.batch, 1, std::max<int64_t>(items, 1));
  options.views = 1;
  options.cache_bytes = train.cache_mib << 20;
  options.vector_noise = recipe.data.vector_noise;
  options.vector_dropout = recipe.data.vector_dropout;
  options.seed = static_cast<int64_t>(seed);
  options.threads = train.loader_threads > 0 ? train.loader_threads : train.threads;
  return options;
}

// The classifier's layer, under torchvision's name.
struct Head : Module {
  Linear linear;

  Head(int64_t features, int64_t classes, Initialiser init) : linear(features, classes, init) { part("fc", linear); }
};

}  // namespace

struct SupervisedTrainer::State {
  State(const SupervisedRecipe& recipe_, Model& model_, const DatasetPtr& data, uint64_t seed)
      : recipe(recipe_),
        model(model_),
        tuned(recipe_.train.task == "finetune"),
        options(loader_options(recipe_, data->size(), seed)),
        head(recipe_.train.layer == "projector" ? model_.projector().out() : model_.encoder().features(),
             static_cast<int64_t>(data->info().class_names.size()), Initialiser(seed ^ kHeadSeed)),
        optimiser([this](const TensorVisitor& visit) { visit_learned(visit); }, recipe_.optimiser,
                  static_cast<int>(recipe_.train.threads)),
        loader(data, recipe_.views, options),
        schedule(make_schedule(recipe_.optimiser, options.batch, loader.batches(), recipe_.train.epochs)) {
    model.train(tuned);
  }

  void visit_learned(const TensorVisitor& visit) {
    if (tuned) model.encoder().visit_parameters(visit);
    head.visit_parameters(visit);
  }

  at::Tensor features(const at::Tensor& rows) {
    if (tuned) return model.backbone(rows);
    const at::NoGradGuard frozen;
    const at::Tensor backbone = model.backbone(rows);
    if (recipe.train.layer == "backbone") return backbone;
    return nonneg(model.project(backbone), model.options().activation);
  }

  // Everything that a checkpoint holds, under one name each.
  void visit_all(const TensorVisitor& visit) {
    const auto with = [&](const std::string& prefix) {
      return [&visit, prefix](const std::string& name, at::Tensor& tensor) { visit(prefix + name, tensor); };
    };
    visit_learned(with("model."));
    if (tuned) model.encoder().visit_buffers(with("model."));
    optimiser.visit_state(with("optimiser."));
  }

  SupervisedRecipe recipe;
  Model& model;
  bool tuned;
  LoaderOptions options;
  Head head;
  Optimiser optimiser;
  Loader loader;
  Schedule schedule;
  Position position;
  EpochTally tally;
  bool epoch_left = false;  // the loader has batches for this epoch
};

SupervisedTrainer::SupervisedTrainer(const SupervisedRecipe& recipe, Model& model, DatasetPtr data, uint64_t seed) {
  check(recipe.train.solver != "lbfgs", "[", recipe.train.task, "] expected lars, sgd or adamw, got lbfgs");
  if (recipe.train.threads > 0) at::set_num_threads(static_cast<int>(recipe.train.threads));
  state_ = std::make_unique<State>(recipe, model, data, seed);
}

SupervisedTrainer::~SupervisedTrainer() = default;

const Position& SupervisedTrainer::position() const { return state_->position; }
const EpochTally& SupervisedTrainer::tally() const { return state_->tally; }
int64_t SupervisedTrainer::batch() const { return state_->options.batch; }
int64_t SupervisedTrainer::batches() const { return state_->loader.batches(); }
int64_t SupervisedTrainer::total_steps() const { return state_->schedule.total; }
bool SupervisedTrainer::finished() const { return state_->position.epoch >= state_->recipe.train.epochs; }

void SupervisedTrainer::begin_epoch() {
  state_->epoch_left = state_->position.batch < batches();
  if (state_->epoch_left) state_->loader.start_epoch(state_->position.epoch, state_->position.batch);
}

std::optional<SupervisedStep> SupervisedTrainer::step() {
  State& s = *state_;
  const Batch* batch = s.epoch_left ? s.loader.next() : nullptr;
  if (batch == nullptr) return std::nullopt;
  SupervisedStep result{.rate = s.schedule.at(s.position.step)};
  s.optimiser.clear_gradients();
  const at::Tensor scores = s.head.linear.forward(s.features(batch_tensor(*batch)));
  const at::Tensor target = at::tensor(batch->labels, at::kLong);
  const at::Tensor loss = at::cross_entropy_loss(scores, target);
  result.loss = loss.item<double>();
  if (!std::isfinite(result.loss)) return result;
  const auto correct = static_cast<double>(scores.argmax(1).eq(target).sum().item<int64_t>());
  result.accuracy = correct / static_cast<double>(batch->items);
  loss.backward();
  s.optimiser.step(result.rate);
  ++s.position.batch;
  ++s.position.step;
  s.tally.loss += result.loss;
  s.tally.correct += correct;
  s.tally.counted += static_cast<double>(batch->items);
  ++s.tally.steps;
  return result;
}

void SupervisedTrainer::end_epoch() {
  ++state_->position.epoch;
  state_->position.batch = 0;
  state_->tally = {};
}

bool SupervisedTrainer::weights_are_finite() {
  bool finite = true;
  state_->visit_learned([&](const std::string&, at::Tensor& weights) {
    finite = finite && std::isfinite(weights.detach().sum().item<double>());
  });
  return finite;
}

Checkpoint SupervisedTrainer::save() {
  State& s = *state_;
  Checkpoint checkpoint;
  s.visit_all([&](const std::string& name, at::Tensor& tensor) { checkpoint.tensors[name] = to_file_tensor(tensor); });
  s.position.save(checkpoint);
  s.tally.save(checkpoint);
  return checkpoint;
}

void SupervisedTrainer::restore(const Checkpoint& checkpoint) {
  State& s = *state_;
  s.visit_all(
      [&](const std::string& name, at::Tensor& target) { from_file_tensor(checkpoint.tensor(name), name, target); });
  s.position = Position::restored(checkpoint);
  s.tally = EpochTally::restored(checkpoint);
}

fit::LogisticModel SupervisedTrainer::classifier() {
  fit::LogisticModel classifier;
  state_->head.visit_parameters([&](const std::string& name, at::Tensor& tensor) {
    const at::Tensor rows = tensor.detach().contiguous();
    const float* data = rows.data_ptr<float>();
    const std::vector<float> values(data, data + rows.numel());
    if (name == "fc.weight") {
      classifier.weights = Matrix(rows.size(0), rows.size(1), values);
    } else {
      classifier.bias.assign(values.begin(), values.end());
    }
  });
  return classifier;
}

}  // namespace orthant
