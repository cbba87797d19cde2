#include "learn/task/pair_task.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "learn/loss/pair_loss.h"
#include "learn/nn/nonneg.h"
#include "learn/task/feed.h"
#include "learn/task/model_task.h"
#include "learn/task/pair_evaluation.h"
#include "orthant/core/error.h"
#include "orthant/run/run_paths.h"

namespace orthant {
namespace {

constexpr std::array kTowers = {Tower::a, Tower::b};

double share_of_zeros(const at::Tensor& z) { return z.eq(0).to(at::kFloat).mean().item<double>(); }

// One side: what it sees, and what it makes of it.
struct Side {
  Side(const PairRecipe& pair, Tower side, const DatasetPtr& data)
      : tower(side),
        recipe(tower_recipe(pair, side)),
        frozen(is_frozen(pair, side)),
        model(new_model(tower_model(pair, side), recipe.train.seed + static_cast<int64_t>(side), *data)),
        feed(make_feed(recipe, model.options(), data, static_cast<int64_t>(side))) {}

  void learn() {
    model.train(true);
    if (frozen) model.encoder().train(false);
  }

  at::Tensor forward(const at::Tensor& rows, double blend) {
    return nonneg(model.project(frozen ? frozen_features(rows) : model.backbone(rows)), recipe.activation, blend);
  }

  at::Tensor frozen_features(const at::Tensor& rows) {
    const at::NoGradGuard no_gradients;
    return model.backbone(rows);
  }

  Tower tower;
  Recipe recipe;
  bool frozen;
  Model model;
  std::unique_ptr<Feed> feed;
};

// From here on the second projector is the first.
void share_projector(Model& from, Model& with) {
  check(from.encoder().features() == with.encoder().features(),
        "[towers] expected backbones of equally many features for one projector, got ", from.encoder().features(),
        " and ", with.encoder().features());
  std::map<std::string, at::Tensor> tensors;
  const TensorVisitor take = [&](const std::string& name, at::Tensor& tensor) { tensors[name] = tensor; };
  from.projector().visit_parameters(take);
  from.projector().visit_buffers(take);
  const TensorVisitor give = [&](const std::string& name, at::Tensor& tensor) { tensor = tensors.at(name); };
  with.projector().visit_parameters(give);
  with.projector().visit_buffers(give);
}

}  // namespace

struct PairTask::State {
  State(const PairRecipe& recipe_, PairedParts data_)
      : recipe(recipe_),
        data(std::move(data_)),
        sides{Side(recipe, Tower::a, data.train.a), Side(recipe, Tower::b, data.train.b)},
        log_scale(initial_log_scale(recipe.loss)),
        steps(at::zeros({1}, at::kLong)) {
    const int64_t a = side(Tower::a).model.projector().out();
    const int64_t b = side(Tower::b).model.projector().out();
    check(a == b, "[towers] expected towers that end equally wide, got ", a, " and ", b, " features");
    check(side(Tower::a).feed->batches() == side(Tower::b).feed->batches(),
          "[towers] expected equally many items of both towers, got ", data.train.a->size(), " and ",
          data.train.b->size());
    if (recipe.train.shared_projector) {
      check(recipe.a.projector == recipe.b.projector, "[towers] expected equal settings of a projector that is shared");
      share_projector(side(Tower::a).model, side(Tower::b).model);
    }
    log_scale.requires_grad_(learns_scale());
  }

  Side& side(Tower tower) { return sides[static_cast<size_t>(tower)]; }
  bool learns_scale() const { return recipe.loss.name == "infonce" && recipe.loss.learn_temperature; }
  bool has_projector(const Side& side) const { return side.tower == Tower::a || !recipe.train.shared_projector; }
  double temperature() const { return std::exp(-log_scale.item<double>()); }

  // What a side learns, or what it keeps, each under its name in the model's file.
  void visit(Side& side, bool learned, const TensorVisitor& visit) {
    const TensorVisitor named = with_prefix(to_string(side.tower) + ".", visit);
    if (side.frozen != learned) side.model.encoder().visit_parameters(named);
    if (!learned) side.model.encoder().visit_buffers(named);
    if (!has_projector(side)) return;
    const TensorVisitor in_projector = with_prefix("projector.", named);
    if (learned) {
      side.model.projector().visit_parameters(in_projector);
    } else {
      side.model.projector().visit_buffers(in_projector);
    }
  }

  PairRecipe recipe;
  PairedParts data;
  std::array<Side, 2> sides;
  at::Tensor log_scale;
  at::Tensor steps;  // done, as the files of the towers note it
};

PairTask::PairTask(const PairRecipe& recipe, PairedParts data) {
  if (recipe.train.threads > 0) at::set_num_threads(static_cast<int>(recipe.train.threads));
  state_ = std::make_unique<State>(recipe, std::move(data));
}

PairTask::~PairTask() = default;

Model& PairTask::model(Tower tower) { return state_->side(tower).model; }

Extent PairTask::extent() const {
  return {state_->recipe.train.batch, state_->side(Tower::a).feed->batches(), state_->recipe.train.epochs};
}

void PairTask::visit_parameters(const TensorVisitor& visit) {
  for (Side& side : state_->sides) state_->visit(side, true, visit);
  if (state_->learns_scale()) visit("log_scale", state_->log_scale);
}

void PairTask::visit_state(const TensorVisitor& visit) {
  const TensorVisitor named = with_prefix("model.", visit);
  for (Side& side : state_->sides) state_->visit(side, false, named);
  visit("task.steps", state_->steps);
}

void PairTask::begin_epoch(int64_t epoch, int64_t batch) {
  for (Side& side : state_->sides) {
    side.feed->start_epoch(epoch, batch);
    side.learn();
  }
}

std::optional<Scalars> PairTask::backward(const Moment& moment, EpochTally& tally) {
  State& s = *state_;
  std::array<at::Tensor, 2> rows;
  std::array<at::Tensor, 2> z;
  for (size_t i = 0; i < rows.size(); ++i) {
    rows[i] = s.sides[i].feed->next();
    if (!rows[i].defined()) return std::nullopt;
  }
  const double blend = sigma_blend(s.sides[0].recipe, moment);
  for (size_t i = 0; i < rows.size(); ++i) z[i] = s.sides[i].forward(rows[i], blend);
  const PairLossResult result = pair_loss(z[0], z[1], s.log_scale, s.recipe.loss);
  Scalars measures = {{"loss", result.value},
                      {"rate", moment.rate},
                      {"blend", blend},
                      {"positive_cosine", result.positive_cosine},
                      {"negative_cosine", result.negative_cosine},
                      {"sparsity_a", share_of_zeros(z[0].detach())},
                      {"sparsity_b", share_of_zeros(z[1].detach())},
                      {"zero_rows", static_cast<double>(result.zero_rows)}};
  if (result.scale > 0) measures.push_back({"temperature", 1 / result.scale});
  if (!std::isfinite(result.value)) return measures;
  result.loss.backward();
  tally.loss += result.value;
  tally.zero_rows += static_cast<double>(result.zero_rows);
  return measures;
}

void PairTask::step(const Moment& moment) {
  clamp_log_scale(state_->log_scale, state_->recipe.loss);
  state_->steps.fill_(moment.step + 1);
}

Scalars PairTask::epoch_measures(const EpochTally& tally, const EpochPace& pace) const {
  double waited = 0;
  for (const Side& side : state_->sides) waited += side.feed->wait_share();
  return {{"loss", tally.loss / tally.steps},
          {"rate", pace.rate},
          {"zero_rows", tally.zero_rows},
          {"seconds", pace.seconds},
          {"images_per_second", pace.items_per_second},
          {"wait_share", waited}};
}

Verdict PairTask::evaluate(const Pause& pause) {
  State& s = *state_;
  const PairEvaluation evaluation =
      evaluate_pairs(s.side(Tower::a).model, s.side(Tower::b).model, s.log_scale, s.recipe, s.data.held_out, pause);
  for (Side& side : s.sides) side.learn();
  return {measures_of(evaluation), warnings(evaluation, s.recipe)};
}

void PairTask::publish(const std::string& folder) {
  const RunPaths run(folder);
  for (const Tower tower : kTowers) {
    ModelExtras extras;
    extras.notes = {{"step", std::to_string(state_->steps.item<int64_t>())},
                    {"temperature", join(state_->temperature())}};
    model(tower).save(tower == Tower::a ? run.model_file() : run.second_model_file(), extras);
  }
}

}  // namespace orthant
