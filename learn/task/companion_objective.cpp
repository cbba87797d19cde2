#include <ATen/ATen.h>

#include "learn/nn/projector.h"
#include "learn/task/objective.h"

namespace orthant {
namespace {

class CompanionObjective : public Objective {
 public:
  CompanionObjective(const LossOptions& options, Model& model, uint64_t seed)
      : weight_(options.companion),
        companion_(model.encoder().features(), {.out = kCompanionFeatures, .depth = 1}, seed) {}

  void visit_parameters(const TensorVisitor& visit) override {
    companion_.visit_parameters(with_prefix("companion.", visit));
  }

  Pass backward(Model& model, const at::Tensor& rows, const PassOptions& options, const Moment& /*moment*/) override {
    PassOptions both = options;
    both.beside = [&](const at::Tensor& features) {
      LossOptions signed_loss = options.loss;
      signed_loss.temperature = kCompanionTemperature;
      signed_loss.nested = 0;
      return weight_ * contrastive_loss(companion_.forward(features), options.views, signed_loss, options.spread).loss;
    };
    return forward_backward(model, rows, both);
  }

  LossResult held_out(const at::Tensor& z, int64_t views, const LossOptions& options) override {
    return contrastive_loss(z, views, options);
  }

 private:
  double weight_;
  Projector companion_;
};

}  // namespace

std::unique_ptr<Objective> make_companion_objective(const LossOptions& options, Model& model, uint64_t seed) {
  return std::make_unique<CompanionObjective>(options, model, seed);
}

}  // namespace orthant
