#include "learn/train/trainer.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>

#include "learn/train/encode.h"
#include "learn/train/online_classifier.h"
#include "learn/train/optimiser.h"
#include "learn/train/pass.h"
#include "learn/train/tensor_bytes.h"
#include "orthant/core/error.h"
#include "orthant/run/schedule.h"

namespace orthant {
namespace {

LoaderOptions loader_options(const Recipe& recipe) {
  LoaderOptions options;
  options.batch = recipe.train.batch;
  options.views = recipe.train.view_count;
  options.cache_bytes = recipe.train.cache_mib << 20;
  options.vector_noise = recipe.data.vector_noise;
  options.vector_dropout = recipe.data.vector_dropout;
  options.seed = recipe.train.seed;
  options.threads = recipe.train.loader_threads > 0 ? recipe.train.loader_threads : recipe.train.threads;
  return options;
}

}  // namespace

struct Trainer::State {
  State(const Recipe& recipe_, const DatasetPtr& data)
      : recipe(recipe_),
        model(model_options(recipe_), static_cast<uint64_t>(recipe_.train.seed)),
        optimiser([this](const TensorVisitor& visit) { model.visit_parameters(visit); }, recipe_.optimiser,
                  static_cast<int>(recipe_.train.threads)),
        loader(data, recipe_.views, loader_options(recipe_)),
        schedule(make_schedule(recipe_.optimiser, recipe_.train.batch, loader.batches(), recipe_.train.epochs)) {
    const auto classes = static_cast<int64_t>(data->info().class_names.size());
    if (classes > 0 && recipe.train.classifier_rate > 0) {
      classifier = std::make_unique<OnlineClassifier>(model.encoder().features(), classes);
    }
    model.train(true);
  }

  double blend() const {
    const double warmup = recipe.train.activation_warmup * static_cast<double>(schedule.total);
    return warmup > 0 ? std::min(1.0, static_cast<double>(position.step) / warmup) : 1.0;
  }

  void watch(const Pass& pass, const Batch& batch, StepResult& result) {
    if (!classifier) return;
    const double rate = scaled_rate(recipe.train.classifier_rate, recipe.train.batch) * result.rate / schedule.peak;
    const auto seen = classifier->learn(pass.features, batch.labels, rate);
    if (seen.counted == 0) return;
    result.online_accuracy = static_cast<double>(seen.correct) / static_cast<double>(seen.counted);
    tally.correct += static_cast<double>(seen.correct);
    tally.counted += static_cast<double>(seen.counted);
  }

  void advance(const StepResult& result) {
    ++position.batch;
    ++position.step;
    tally.loss += result.loss;
    tally.zero_rows += static_cast<double>(result.zero_rows);
    ++tally.steps;
  }

  // Everything that a checkpoint holds, under one name each.
  void visit_all(const TensorVisitor& visit) {
    const auto with = [&](const std::string& prefix) {
      return [&visit, prefix](const std::string& name, at::Tensor& tensor) { visit(prefix + name, tensor); };
    };
    model.visit_parameters(with("model."));
    model.visit_buffers(with("model."));
    optimiser.visit_state(with("optimiser."));
    if (classifier) classifier->visit_state(with("classifier."));
  }

  Recipe recipe;
  Model model;
  Optimiser optimiser;
  Loader loader;
  Schedule schedule;
  std::unique_ptr<OnlineClassifier> classifier;
  Position position;
  EpochTally tally;
  bool epoch_left = false;  // the loader has batches for this epoch
};

Trainer::Trainer(const Recipe& recipe, DatasetPtr data) {
  if (recipe.train.threads > 0) at::set_num_threads(static_cast<int>(recipe.train.threads));
  state_ = std::make_unique<State>(recipe, data);
}

Trainer::~Trainer() = default;

Model& Trainer::model() { return state_->model; }
const Recipe& Trainer::recipe() const { return state_->recipe; }
const Position& Trainer::position() const { return state_->position; }
const EpochTally& Trainer::tally() const { return state_->tally; }
int64_t Trainer::batches() const { return state_->loader.batches(); }
int64_t Trainer::total_steps() const { return state_->schedule.total; }
bool Trainer::finished() const { return state_->position.epoch >= state_->recipe.train.epochs; }
double Trainer::wait_share() const { return state_->epoch_left ? state_->loader.wait_share() : 0; }

void Trainer::begin_epoch() {
  state_->epoch_left = state_->position.batch < batches();
  if (state_->epoch_left) state_->loader.start_epoch(state_->position.epoch, state_->position.batch);
}

std::optional<StepResult> Trainer::step() {
  State& s = *state_;
  const Batch* batch = s.epoch_left ? s.loader.next() : nullptr;
  if (batch == nullptr) return std::nullopt;
  StepResult result{.rate = s.schedule.at(s.position.step), .blend = s.blend()};
  s.optimiser.clear_gradients();
  const Pass pass = forward_backward(
      s.model, batch_tensor(*batch),
      {.views = batch->views, .chunk = s.recipe.train.chunk, .blend = result.blend, .loss = s.recipe.loss});
  result.loss = pass.loss.value;
  result.positive_cosine = pass.loss.positive_cosine;
  result.negative_cosine = pass.loss.negative_cosine;
  result.zero_rows = pass.loss.zero_rows;
  result.sparsity = pass.z.eq(0).to(at::kFloat).mean().item<double>();
  if (!std::isfinite(result.loss)) return result;
  s.optimiser.step(result.rate);
  s.watch(pass, *batch, result);
  s.advance(result);
  return result;
}

void Trainer::end_epoch() {
  ++state_->position.epoch;
  state_->position.batch = 0;
  state_->tally = {};
}

bool Trainer::weights_are_finite() {
  bool finite = true;
  state_->model.visit_parameters([&](const std::string&, at::Tensor& weights) {
    finite = finite && std::isfinite(weights.detach().sum().item<double>());
  });
  return finite;
}

Checkpoint Trainer::save() {
  State& s = *state_;
  Checkpoint checkpoint;
  s.visit_all([&](const std::string& name, at::Tensor& tensor) { checkpoint.tensors[name] = to_file_tensor(tensor); });
  s.position.save(checkpoint);
  s.tally.save(checkpoint);
  return checkpoint;
}

void Trainer::restore(const Checkpoint& checkpoint) {
  State& s = *state_;
  s.visit_all(
      [&](const std::string& name, at::Tensor& target) { from_file_tensor(checkpoint.tensor(name), name, target); });
  s.position = Position::restored(checkpoint);
  s.tally = EpochTally::restored(checkpoint);
}

}  // namespace orthant
