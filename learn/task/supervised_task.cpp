#include "learn/task/supervised_task.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>

#include "learn/nn/nonneg.h"
#include "learn/task/class_head.h"
#include "learn/task/encode.h"
#include "orthant/core/error.h"

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

}  // namespace

struct SupervisedTask::State {
  State(const SupervisedRecipe& recipe_, Model& model_, const DatasetPtr& data, uint64_t seed, std::string encoder_)
      : recipe(recipe_),
        model(model_),
        encoder(std::move(encoder_)),
        tuned(recipe.train.task == "finetune"),
        options(loader_options(recipe, data->size(), seed)),
        head(recipe.train.layer == "projector" ? model.projector().out() : model.encoder().features(),
             static_cast<int64_t>(data->info().class_names.size()), seed ^ kHeadSeed),
        loader(data, recipe.views, options) {
    model.train(tuned);
  }

  at::Tensor features(const at::Tensor& rows) {
    if (tuned) return model.backbone(rows);
    const at::NoGradGuard frozen;
    at::Tensor backbone = model.backbone(rows);
    if (recipe.train.layer == "backbone") return backbone;
    return nonneg(model.project(backbone), model.options().activation);
  }

  SupervisedRecipe recipe;
  Model& model;
  std::string encoder;
  bool tuned;
  LoaderOptions options;
  ClassHead head;
  Loader loader;
};

SupervisedTask::SupervisedTask(const SupervisedRecipe& recipe, Model& model, const DatasetPtr& data, uint64_t seed,
                               std::string encoder) {
  check(recipe.train.solver != "lbfgs", "[", recipe.train.task, "] expected lars, sgd or adamw, got lbfgs");
  if (recipe.train.threads > 0) at::set_num_threads(static_cast<int>(recipe.train.threads));
  state_ = std::make_unique<State>(recipe, model, data, seed, std::move(encoder));
}

SupervisedTask::~SupervisedTask() = default;

Extent SupervisedTask::extent() const {
  return {state_->options.batch, state_->loader.batches(), state_->recipe.train.epochs};
}

void SupervisedTask::visit_parameters(const TensorVisitor& visit) {
  if (state_->tuned) state_->model.encoder().visit_parameters(visit);
  state_->head.visit_parameters(visit);
}

void SupervisedTask::visit_state(const TensorVisitor& visit) {
  if (state_->tuned) state_->model.encoder().visit_buffers(with_prefix("model.", visit));
}

std::map<std::string, std::string> SupervisedTask::identity() const { return {{"encoder", state_->encoder}}; }

void SupervisedTask::begin_epoch(int64_t epoch, int64_t batch) { state_->loader.start_epoch(epoch, batch); }

std::optional<Scalars> SupervisedTask::backward(const Moment& moment, EpochTally& tally) {
  State& s = *state_;
  const Batch* batch = s.loader.next();
  if (batch == nullptr) return std::nullopt;
  const CrossEntropy seen = cross_entropy(s.head.forward(s.features(batch_tensor(*batch, s.model.options()))),
                                          at::tensor(batch->labels, at::kLong));
  const auto value = seen.loss.item<double>();
  const auto correct = static_cast<double>(seen.correct);
  const auto items = static_cast<double>(batch->items);
  if (std::isfinite(value)) seen.loss.backward();
  tally.loss += value;
  tally.correct += correct;
  tally.counted += items;
  return Scalars{{"loss", value}, {"rate", moment.rate}, {"accuracy", correct / items}};
}

Scalars SupervisedTask::epoch_measures(const EpochTally& tally, const EpochPace& pace) const {
  return {{"loss", tally.loss / tally.steps},
          {"accuracy", tally.correct / tally.counted},
          {"rate", pace.rate},
          {"seconds", pace.seconds},
          {"images_per_second", pace.items_per_second}};
}

fit::LogisticModel SupervisedTask::classifier() { return state_->head.classifier(); }

}  // namespace orthant
