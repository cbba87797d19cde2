#include "learn/task/labelled_task.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <cmath>

#include "learn/loss/supcon.h"
#include "learn/task/class_head.h"
#include "learn/task/encode.h"
#include "learn/task/evaluation.h"
#include "learn/task/pass.h"
#include "learn/task/supervised_classifier.h"
#include "learn/tiles/bf16_ops.h"
#include "orthant/run/run_folder.h"

namespace orthant {
namespace {

constexpr uint64_t kHeadSeed = 0xd6e8feb86659fd93;  // keeps the classifier's streams apart from the network's

int64_t zero_rows_of(const at::Tensor& z, double eps, const Group& group) {
  at::Tensor count = z.detach().norm(2, 1).le(eps).sum();
  group.sum(count, "zero rows");
  return count.item<int64_t>();
}

}  // namespace

struct LabelledTask::State {
  State(const Recipe& recipe_, TrainingData data_, const Group& group_)
      : recipe(recipe_),
        group(group_),
        data(std::move(data_)),
        model(new_model(model_options(recipe), recipe.train.seed, *data.train)),
        head(model.projector().out(), std::ssize(data.train->info().class_names),
             static_cast<uint64_t>(recipe.train.seed) ^ kHeadSeed, recipe.labels.nonneg_weights),
        loader(data.train, recipe.views, loader_options(recipe, group)) {
    model.join(group, norms_group(recipe, group));
  }

  // The loss of z [V*B, K], and by the way how many rows the classifier gets right.
  LossResult loss_of(const at::Tensor& z, const Batch& batch, int64_t& correct) const {
    const at::Tensor classes = at::tensor(batch.labels, at::kLong).repeat({batch.views});
    const bool watches = is_supcon(recipe.train.method);
    const CrossEntropy seen = cross_entropy(head.forward(watches ? z.detach() : z), classes,
                                            {recipe.labels.smoothing, data.class_weights}, group);
    correct = seen.correct;
    if (watches) {
      LossResult result = supervised_contrastive_loss(z, batch.labels, recipe.loss, {group, batch.all_items});
      result.loss = result.loss + seen.loss;  // each has parameters of its own
      return result;
    }
    return {.loss = seen.loss,
            .value = seen.loss.item<double>(),
            .zero_rows = zero_rows_of(z, recipe.loss.norm_eps, group)};
  }

  Scalars tested(const Encoded& items) const {
    const at::NoGradGuard no_gradients;
    const at::Tensor z = at::from_blob(const_cast<float*>(items.z.data()), {items.z.rows(), items.z.cols()});
    const CrossEntropy seen = cross_entropy(head.forward(z), at::tensor(items.labels, at::kLong));
    const auto count = static_cast<double>(items.labels.size());
    return {{"test_accuracy", static_cast<double>(seen.correct) / count},
            {"test_loss", seen.loss.item<double>()},
            {"test_items", count}};
  }

  Recipe recipe;
  Group group;
  TrainingData data;
  Model model;
  ClassHead head;
  Loader loader;
};

LabelledTask::LabelledTask(const Recipe& recipe, TrainingData data, const Group& group) {
  ops::check_precision(recipe.train.precision);
  if (recipe.train.threads > 0) at::set_num_threads(static_cast<int>(recipe.train.threads));
  state_ = std::make_unique<State>(recipe, std::move(data), group);
}

LabelledTask::~LabelledTask() = default;

Model& LabelledTask::model() { return state_->model; }

Extent LabelledTask::extent() const {
  const TrainOptions& train = state_->recipe.train;
  return {train.batch, state_->loader.batches(), train.epochs, train.chunk > 0};
}

Group LabelledTask::group() const { return state_->group; }

void LabelledTask::visit_parameters(const TensorVisitor& visit) {
  state_->model.visit_parameters(visit);
  state_->head.visit_parameters(visit);
}

void LabelledTask::visit_state(const TensorVisitor& visit) {
  state_->model.visit_buffers(with_prefix("model.", visit));
}

void LabelledTask::begin_epoch(int64_t epoch, int64_t batch) { state_->loader.start_epoch(epoch, batch); }

std::optional<Scalars> LabelledTask::backward(const Moment& moment, EpochTally& tally) {
  State& s = *state_;
  const Batch* batch = s.loader.next();
  if (batch == nullptr) return std::nullopt;
  const double blend = sigma_blend(s.recipe, moment);
  int64_t correct = 0;
  const ops::Bf16Scope precision(s.recipe.train.precision);
  const Pass pass = forward_backward(s.model, batch_tensor(*batch, s.model.options()),
                                     {.views = batch->views,
                                      .views_apart = s.recipe.train.views_apart,
                                      .chunk = s.recipe.train.chunk,
                                      .blend = blend,
                                      .spread = {s.group, batch->all_items}},
                                     [&](const at::Tensor& z) { return s.loss_of(z, *batch, correct); });
  const auto rows = static_cast<double>(batch->views * batch->all_items);
  Scalars measures = {{"loss", pass.loss.value},
                      {"rate", moment.rate},
                      {"blend", blend},
                      {"accuracy", static_cast<double>(correct) / rows},
                      {"sparsity", zero_share(pass.z, s.group)},
                      {"zero_rows", static_cast<double>(pass.loss.zero_rows)}};
  if (!std::isfinite(pass.loss.value)) return measures;
  tally.loss += pass.loss.value;
  tally.zero_rows += static_cast<double>(pass.loss.zero_rows);
  tally.correct += static_cast<double>(correct);
  tally.counted += rows;
  return measures;
}

Scalars LabelledTask::epoch_measures(const EpochTally& tally, const EpochPace& pace) const {
  return {{"loss", tally.loss / tally.steps},
          {"accuracy", tally.correct / tally.counted},
          {"rate", pace.rate},
          {"zero_rows", tally.zero_rows},
          {"seconds", pace.seconds},
          {"images_per_second", pace.items_per_second},
          {"wait_share", state_->loader.wait_share()}};
}

Verdict LabelledTask::evaluate(const Pause& pause) {
  const State& s = *state_;
  Scalars measures;
  const Evaluation evaluation = orthant::evaluate(state_->model, s.recipe, s.data.train, s.data.held_out, pause,
                                                  [&](const Encoded& items) { measures = s.tested(items); });
  const Scalars others = measures_of(evaluation);
  measures.insert(measures.end(), others.begin(), others.end());
  return {std::move(measures), warnings(evaluation, s.recipe)};
}

void LabelledTask::publish(const std::string& folder) {
  state_->model.save(weights_file(folder), classifier_extras({state_->head.classifier(), {{"layer", "projector"}}}));
}

}  // namespace orthant
