#include <ATen/ATen.h>

#include "learn/loss/importance.h"
#include "learn/task/objective.h"

namespace orthant {
namespace {

class ImportanceObjective : public Objective {
 public:
  explicit ImportanceObjective(int64_t features) : importance_(features) {}

  void visit_parameters(const TensorVisitor& visit) override { importance_.visit_parameters(visit); }
  // Decay would draw all features to one importance.
  bool decays() const override { return false; }

  Pass backward(Model& model, const at::Tensor& rows, const PassOptions& options, const Moment& /*moment*/) override {
    return forward_backward(model, rows, options, [&](const at::Tensor& z) {
      ImportantLoss found = important_loss(z, importance_.values(), options.views, options.loss, options.spread);
      told_ = {{"important_features", importance_.effective()}, {"decorrelation", found.decorrelation}};
      return std::move(found.result);
    });
  }

  void step(Model& /*model*/, const Moment& /*moment*/) override { importance_.hold(); }

  const Scalars& told() const override { return told_; }
  void settle(Model& model) override { model.weigh(importance_.values()); }

  // The rows are weighed already.
  LossResult held_out(const at::Tensor& z, int64_t views, const LossOptions& options) override {
    return contrastive_loss(z, views, options);
  }

 private:
  Importance importance_;
  Scalars told_;
};

}  // namespace

std::unique_ptr<Objective> make_importance_objective(Model& model) {
  return std::make_unique<ImportanceObjective>(model.projector().out());
}

}  // namespace orthant
