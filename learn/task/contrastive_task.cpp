#include "learn/task/contrastive_task.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <cmath>

#include "learn/task/encode.h"
#include "learn/task/evaluation.h"
#include "learn/task/objective.h"
#include "learn/task/online_classifier.h"
#include "learn/task/pass.h"
#include "learn/tiles/bf16_ops.h"
#include "orthant/run/run_folder.h"
#include "orthant/run/schedule.h"

namespace orthant {
struct ContrastiveTask::State {
  State(const Recipe& recipe_, TrainingData data_, const Group& group_)
      : recipe(recipe_),
        group(group_),
        data(std::move(data_)),
        model(new_model(model_options(recipe), recipe.train.seed, *data.train)),
        objective(make_objective(recipe, model)),
        loader(data.train, recipe.views, loader_options(recipe, group), data.positives) {
    model.join(group, norms_group(recipe, group));
    objective->join(group, norms_group(recipe, group));
    const auto classes = static_cast<int64_t>(data.train->info().class_names.size());
    if (classes > 0 && recipe.train.classifier_rate > 0) {
      classifier = std::make_unique<OnlineClassifier>(model.encoder().features(), classes);
    }
  }

  Pass pass(const at::Tensor& rows, const PassOptions& options, const Moment& moment) {
    const ops::Bf16Scope precision(recipe.train.precision);
    return objective->backward(model, rows, options, moment);
  }

  void watch(const Pass& pass, const Batch& batch, EpochTally& tally, Scalars& measures) {
    if (!classifier) return;
    // Of two items that belong together only the first has its label here.
    const at::Tensor features = data.positives ? pass.features.narrow(0, 0, batch.items) : pass.features;
    const auto seen = classifier->backward(features, batch.labels, group);
    if (seen.counted == 0) return;
    tally.correct += static_cast<double>(seen.correct);
    tally.counted += static_cast<double>(seen.counted);
    measures.push_back({"online_accuracy", static_cast<double>(seen.correct) / static_cast<double>(seen.counted)});
  }

  Recipe recipe;
  Group group;
  TrainingData data;
  Model model;
  std::unique_ptr<Objective> objective;
  Loader loader;
  std::unique_ptr<OnlineClassifier> classifier;
};

ContrastiveTask::ContrastiveTask(const Recipe& recipe, TrainingData data, const Group& group) {
  ops::check_precision(recipe.train.precision);
  if (recipe.train.threads > 0) at::set_num_threads(static_cast<int>(recipe.train.threads));
  state_ = std::make_unique<State>(recipe, std::move(data), group);
}

ContrastiveTask::~ContrastiveTask() = default;

Model& ContrastiveTask::model() { return state_->model; }

Extent ContrastiveTask::extent() const {
  const TrainOptions& train = state_->recipe.train;
  return {train.batch, state_->loader.batches(), train.epochs, train.chunk > 0};
}

Group ContrastiveTask::group() const { return state_->group; }

void ContrastiveTask::visit_parameters(const TensorVisitor& visit) {
  state_->model.visit_parameters(visit);
  state_->objective->visit_parameters(visit);
}

void ContrastiveTask::visit_state(const TensorVisitor& visit) {
  state_->model.visit_buffers(with_prefix("model.", visit));
  state_->objective->visit_state(with_prefix("objective.", visit));
  if (state_->classifier) state_->classifier->visit_state(with_prefix("classifier.", visit));
}

bool ContrastiveTask::decays(const std::string& name) const {
  bool beside = false;
  state_->objective->visit_parameters([&](const std::string& own, at::Tensor&) { beside = beside || own == name; });
  return !beside || state_->objective->decays();
}

void ContrastiveTask::begin_epoch(int64_t epoch, int64_t batch) { state_->loader.start_epoch(epoch, batch); }

std::optional<Scalars> ContrastiveTask::backward(const Moment& moment, EpochTally& tally) {
  State& s = *state_;
  const Batch* batch = s.loader.next();
  if (batch == nullptr) return std::nullopt;
  const double blend = sigma_blend(s.recipe, moment);
  const Pass pass = s.pass(batch_tensor(*batch, s.model.options()),
                           {.views = batch->views,
                            .views_apart = s.recipe.train.views_apart,
                            .chunk = s.recipe.train.chunk,
                            .blend = blend,
                            .loss = loss_at(s.recipe, moment),
                            .terms = s.recipe.terms,
                            .spread = {s.group, batch->all_items}},
                           moment);
  Scalars measures = {{"loss", pass.loss.value},
                      {"rate", moment.rate},
                      {"blend", blend},
                      {"positive_cosine", pass.loss.positive_cosine},
                      {"negative_cosine", pass.loss.negative_cosine},
                      {"sparsity", zero_share(pass.z, s.group)},
                      {"zero_rows", static_cast<double>(pass.loss.zero_rows)}};
  const Scalars& told = s.objective->told();
  measures.insert(measures.end(), told.begin(), told.end());
  if (!std::isfinite(pass.loss.value)) return measures;
  tally.loss += pass.loss.value;
  tally.zero_rows += static_cast<double>(pass.loss.zero_rows);
  s.watch(pass, *batch, tally, measures);
  return measures;
}

void ContrastiveTask::step(const Moment& moment) {
  const TrainOptions& train = state_->recipe.train;
  state_->objective->step(state_->model, moment);
  if (!state_->classifier) return;
  state_->classifier->step(scaled_rate(train.classifier_rate, train.batch) * moment.rate / moment.peak);
}

Scalars ContrastiveTask::epoch_measures(const EpochTally& tally, const EpochPace& pace) const {
  Scalars measures = {{"loss", tally.loss / tally.steps},
                      {"rate", pace.rate},
                      {"zero_rows", tally.zero_rows},
                      {"seconds", pace.seconds},
                      {"images_per_second", pace.items_per_second},
                      {"wait_share", state_->loader.wait_share()}};
  if (tally.counted > 0) measures.push_back({"online_accuracy", tally.correct / tally.counted});
  return measures;
}

Verdict ContrastiveTask::evaluate(const Pause& pause) {
  State& s = *state_;
  const ViewLoss loss = [&](const at::Tensor& z, const Batch& batch) {
    return s.objective->held_out(z, batch.views, s.recipe.loss);
  };
  settle(s.model, s.recipe, s.data.train, pause);
  s.objective->settle(s.model);
  const Evaluation evaluation = orthant::evaluate(s.model, s.recipe, s.data.train, s.data.held_out, pause, {}, loss);
  return {measures_of(evaluation), warnings(evaluation, s.recipe)};
}

void ContrastiveTask::publish(const std::string& folder) {
  settle(state_->model, state_->recipe, state_->data.train, {});
  state_->objective->settle(state_->model);
  state_->model.save(weights_file(folder));
}

}  // namespace orthant
