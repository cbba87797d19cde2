#include <ATen/ATen.h>

#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include "learn/loss/prediction.h"
#include "learn/nn/projector.h"
#include "learn/task/momentum_network.h"
#include "learn/task/objective.h"

namespace orthant {
namespace {

// From `base` at the first step to 1 at the end, half a cosine.
double rising_momentum(double base, const Moment& moment) {
  const double progress = static_cast<double>(moment.step) / static_cast<double>(moment.steps);
  return 1 - (1 - base) * (1 + std::cos(std::numbers::pi * progress)) / 2;
}

class PredictionObjective : public Objective {
 public:
  PredictionObjective(const LossOptions& options, Model& model, uint64_t seed)
      : momentum_(options.momentum),
        predictor_(model.projector().out(),
                   {.hidden = options.predictor_hidden, .out = model.projector().out(), .depth = 2, .batch_norm = true},
                   seed) {
    if (options.name == "byol") network_.emplace(model);
  }

  void visit_parameters(const TensorVisitor& visit) override {
    predictor_.visit_parameters(with_prefix("predictor.", visit));
  }

  void visit_state(const TensorVisitor& visit) override {
    predictor_.visit_buffers(with_prefix("predictor.", visit));
    if (network_) network_->visit_state(with_prefix("momentum.", visit));
  }

  void join(const Group& rows, const Group& norms) override {
    predictor_.join(rows, norms);
    if (network_) network_->join(rows, norms);
  }

  Pass backward(Model& model, const at::Tensor& rows, const PassOptions& options, const Moment& moment) override {
    if (network_ && moment.step == 0) network_->become(model);
    const at::Tensor target = network_ ? network_->forward(rows, options) : at::Tensor();
    return forward_backward(model, rows, options, [&](const at::Tensor& z) {
      const int64_t parts = options.views_apart ? options.views : 1;
      return loss_of(z, predicted(z, parts), target.defined() ? target : z, options.views, options.loss,
                     options.spread);
    });
  }

  void step(Model& model, const Moment& moment) override {
    if (network_) network_->follow(model, rising_momentum(momentum_, moment));
  }

  LossResult held_out(const at::Tensor& z, int64_t views, const LossOptions& options) override {
    predictor_.train(false);
    const LossResult result = loss_of(z, predicted(z, 1), z, views, options, {});
    predictor_.train(true);
    return result;
  }

 private:
  // Batch norm sees as many rows at once as there are in a part.
  at::Tensor predicted(const at::Tensor& z, int64_t parts) {
    std::vector<at::Tensor> list;
    for (const at::Tensor& part : at::chunk(z, parts)) list.push_back(predictor_.forward(part));
    return at::cat(list);
  }

  LossResult loss_of(const at::Tensor& z, const at::Tensor& predictions, const at::Tensor& target, int64_t views,
                     const LossOptions& options, const SharedBatch& spread) const {
    LossResult result = compare_views(z, views, options.norm_eps, spread);
    const at::Tensor own = network_ ? loss::byol(predictions, target, views, options.norm_eps)
                                    : loss::simsiam(predictions, target, views, options.norm_eps);
    // A mean over items, each with all its views on one rank.
    const int64_t items = z.size(0) / views;
    const double share = static_cast<double>(items) / static_cast<double>(spread.all_items(items));
    result.loss = spread.group.alone() ? own : shared_sum(spread.group, own * share, "sums of losses");
    result.value = result.loss.item<double>();
    return result;
  }

  double momentum_;
  Projector predictor_;
  std::optional<MomentumNetwork> network_ = {};  // of byol
};

}  // namespace

std::unique_ptr<Objective> make_prediction_objective(const LossOptions& options, Model& model, uint64_t seed) {
  return std::make_unique<PredictionObjective>(options, model, seed);
}

}  // namespace orthant
