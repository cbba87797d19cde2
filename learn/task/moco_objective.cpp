#include <ATen/ATen.h>

#include "learn/loss/key_queue.h"
#include "learn/loss/moco.h"
#include "learn/loss/unit.h"
#include "learn/task/momentum_network.h"
#include "learn/task/objective.h"
#include "orthant/core/share.h"

namespace orthant {
namespace {

class MocoObjective : public Objective {
 public:
  MocoObjective(const LossOptions& options, Model& model)
      : momentum_(options.momentum), network_(model), queue_(options.queue, model.projector().out()) {}

  void visit_state(const TensorVisitor& visit) override {
    network_.visit_state(with_prefix("momentum.", visit));
    queue_.visit_state(with_prefix("queue.", visit));
  }

  void join(const Group& rows, const Group& norms) override { network_.join(rows, norms); }

  Pass backward(Model& model, const at::Tensor& rows, const PassOptions& options, const Moment& moment) override {
    if (moment.step == 0) network_.become(model);
    const SharedBatch& spread = options.spread;
    const int64_t items = spread.all_items(rows.size(0) / options.views);
    keys_ = spread.group.gather_views(loss::unit(network_.forward(rows, options), options.loss.norm_eps), options.views,
                                      items, "keys of all ranks");
    return forward_backward(model, rows, options, [&](const at::Tensor& z) {
      return loss_of(z, keys_, queue_.keys(), options.views, options.loss, spread);
    });
  }

  void step(Model& model, const Moment& /*moment*/) override {
    network_.follow(model, momentum_);
    queue_.push(keys_);
  }

  LossResult held_out(const at::Tensor& z, int64_t views, const LossOptions& options) override {
    return loss_of(z, loss::unit(z, options.norm_eps), z.narrow(0, 0, 0), views, options, {});
  }

 private:
  static LossResult loss_of(const at::Tensor& z, const at::Tensor& keys, const at::Tensor& queue, int64_t views,
                            const LossOptions& options, const SharedBatch& spread) {
    LossResult result = compare_views(z, views, options.norm_eps, spread);
    const Group& group = spread.group;
    const int64_t first = share_of(keys.size(0) / views, group.rank(), group.size()).first;
    const at::Tensor own = loss::moco(loss::unit(z, options.norm_eps), keys, queue, views, options.temperature, first);
    result.loss = shared_sum(group, own, "sums of losses");
    result.value = result.loss.item<double>();
    return result;
  }

  double momentum_;
  MomentumNetwork network_;
  KeyQueue queue_;
  at::Tensor keys_ = {};  // of the last batch, all ranks'
};

}  // namespace

std::unique_ptr<Objective> make_moco_objective(const LossOptions& options, Model& model) {
  return std::make_unique<MocoObjective>(options, model);
}

}  // namespace orthant
