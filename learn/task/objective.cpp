#include "learn/task/objective.h"

#include <ATen/ATen.h>

namespace orthant {
namespace {

constexpr uint64_t kObjectiveSeed = 0xa0761d6478bd642f;  // keeps the parameters' streams apart from the network's

class ViewObjective : public Objective {
 public:
  Pass backward(Model& model, const at::Tensor& rows, const PassOptions& options, const Moment& /*moment*/) override {
    return forward_backward(model, rows, options);
  }

  LossResult held_out(const at::Tensor& z, int64_t views, const LossOptions& options) override {
    return contrastive_loss(z, views, options);
  }
};

}  // namespace

std::unique_ptr<Objective> make_objective(const Recipe& recipe, Model& model) {
  const LossOptions& loss = recipe.loss;
  const uint64_t seed = static_cast<uint64_t>(recipe.train.seed) ^ kObjectiveSeed;
  if (loss.name == "moco") return make_moco_objective(loss, model);
  if (loss.name == "byol" || loss.name == "simsiam") return make_prediction_objective(loss, model, seed);
  if (loss.name == "swav") return make_swav_objective(loss, model, seed);
  if (loss.companion > 0) return make_companion_objective(loss, model, seed);
  return learns_importance(loss) ? make_importance_objective(model) : make_view_objective();
}

std::unique_ptr<Objective> make_view_objective() { return std::make_unique<ViewObjective>(); }

}  // namespace orthant
