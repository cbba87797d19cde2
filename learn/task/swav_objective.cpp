#include <ATen/ATen.h>

#include <cmath>

#include "learn/loss/swav.h"
#include "learn/loss/unit.h"
#include "learn/nn/initialiser.h"
#include "learn/task/objective.h"

namespace orthant {
namespace {

class SwavObjective : public Objective {
 public:
  SwavObjective(const LossOptions& options, int64_t dims, uint64_t seed)
      : frozen_(options.swav_frozen), prototypes_(Initialiser(seed).normal({options.swav_prototypes, dims}, 1)) {
    normalise();
  }

  void visit_parameters(const TensorVisitor& visit) override { visit("prototypes", prototypes_); }

  Pass backward(Model& model, const at::Tensor& rows, const PassOptions& options, const Moment& moment) override {
    const bool frozen = static_cast<double>(moment.step) < frozen_ * static_cast<double>(moment.steps);
    return forward_backward(model, rows, options, [&](const at::Tensor& z) {
      return loss_of(z, frozen ? prototypes_.detach() : prototypes_, options.views, options.loss, options.spread);
    });
  }

  void step(Model& /*model*/, const Moment& /*moment*/) override { normalise(); }

  LossResult held_out(const at::Tensor& z, int64_t views, const LossOptions& options) override {
    return loss_of(z, prototypes_, views, options, {});
  }

 private:
  static LossResult loss_of(const at::Tensor& z, const at::Tensor& prototypes, int64_t views,
                            const LossOptions& options, const SharedBatch& spread) {
    LossResult result = compare_views(z, views, options.norm_eps, spread);
    const at::Tensor own = loss::swav(loss::unit(z, options.norm_eps).mm(prototypes.t()), views, options, spread);
    result.loss = shared_sum(spread.group, own, "sums of losses");
    result.value = result.loss.item<double>();
    return result;
  }

  void normalise() {
    const at::NoGradGuard no_gradients;
    prototypes_.div_(prototypes_.norm(2, 1, true));
  }

  double frozen_;
  at::Tensor prototypes_;  // [P, K], unit rows
};

}  // namespace

std::unique_ptr<Objective> make_swav_objective(const LossOptions& options, Model& model, uint64_t seed) {
  return std::make_unique<SwavObjective>(options, model.projector().out(), seed);
}

}  // namespace orthant
