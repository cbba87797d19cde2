#pragma once

#include <memory>

#include "learn/nn/model.h"
#include "learn/task/pass.h"
#include "learn/task/task.h"
#include "orthant/run/recipe.h"

namespace orthant {

// What a network without labels learns by: a loss of views, and what that needs beyond the network, such as a
// predictor, a momentum network or a queue. A resumed run needs all of it, `embed` none. One thread at a time.
class Objective {
 public:
  virtual ~Objective() = default;

  // Parameters beside the network's that follow the gradients; their names are not among the network's.
  virtual void visit_parameters(const TensorVisitor& visit) { static_cast<void>(visit); }
  // Whether weight decay holds for them.
  virtual bool decays() const { return true; }
  // Whatever else decides the future; see Task::visit_state().
  virtual void visit_state(const TensorVisitor& visit) { static_cast<void>(visit); }

  // Model::join() of what it has beside the network.
  virtual void join(const Group& rows, const Group& norms) {
    static_cast<void>(rows);
    static_cast<void>(norms);
  }

  // Forward and backward of one batch by options.loss: adds to the gradients of the network and of the parameters
  // above; see forward_backward(). With moment.step == 0 a momentum network is first made equal to `model`.
  virtual Pass backward(Model& model, const at::Tensor& rows, const PassOptions& options, const Moment& moment) = 0;
  // After the optimiser's step along the gradients of the last backward().
  virtual void step(Model& model, const Moment& moment) {
    static_cast<void>(model);
    static_cast<void>(moment);
  }

  // What the last batch was like besides, by name.
  virtual const Scalars& told() const {
    static const Scalars kNothing;
    return kNothing;
  }

  // Before the network is measured or written: puts into it what it has learned of the features, if anything.
  virtual void settle(Model& model) { static_cast<void>(model); }

  // The loss of held-out rows z [V*B, K], all of them here, of the network in evaluation mode. It depends on z and on
  // the parameters above only: z stands in for what a momentum network would make of the rows, and there is no queue.
  virtual LossResult held_out(const at::Tensor& z, int64_t views, const LossOptions& options) = 0;
};

// The one that recipe.loss.name asks for; parameters start from streams of recipe.train.seed.
std::unique_ptr<Objective> make_objective(const Recipe& recipe, Model& model);

// infonce, spectral, barlow, vicreg: the loss of the network's own rows, and nothing else.
std::unique_ptr<Objective> make_view_objective();
// infonce beside a companion: a layer "companion" of kCompanionFeatures signed features on the backbone, which learns
// from the same rows by InfoNCE at kCompanionTemperature. Its loss adds to the backbone's gradient, loss.companion
// times, and not to the value that is told.
std::unique_ptr<Objective> make_companion_objective(const LossOptions& options, Model& model, uint64_t seed);
// infonce or spectral with an importance that is learned (learn/loss/importance.h), a parameter "importance" [K].
std::unique_ptr<Objective> make_importance_objective(Model& model);
// moco (learn/loss/moco.h): queries are the network's rows, keys those of a momentum network. Its state is
// "momentum.NAME" for every tensor of that network, and "queue.keys", "queue.pushed".
std::unique_ptr<Objective> make_moco_objective(const LossOptions& options, Model& model);
// byol, simsiam (learn/loss/prediction.h): a predictor (Linear, batch norm, ReLU, Linear) on the network's rows tells
// those of a momentum network, or the network's own. "predictor.NAME" are parameters and buffers; "momentum.NAME".
std::unique_ptr<Objective> make_prediction_objective(const LossOptions& options, Model& model, uint64_t seed);
// swav (learn/loss/swav.h): the scores are inner products of unit rows with unit prototypes, a parameter "prototypes"
// [P, K].
std::unique_ptr<Objective> make_swav_objective(const LossOptions& options, Model& model, uint64_t seed);

}  // namespace orthant
