#pragma once

#include "learn/nn/model.h"
#include "learn/task/task.h"
#include "orthant/data/loader.h"
#include "orthant/run/recipe.h"
#include "orthant/run/training_data.h"

namespace orthant {

// A task of a Recipe: a whole network learns.
class ModelTask : public Task {
 public:
  virtual Model& model() = 0;
};

// What such tasks start from: a new network of `seed` in training mode, its vectors standardised by those of `data` if
// the options want it; how the share of a rank of batches is loaded; the share of sigma+ at a moment of its warm-up;
// and the loss with its temperature of that moment.
Model new_model(const ModelOptions& options, int64_t seed, const Dataset& data);
LoaderOptions loader_options(const Recipe& recipe, const Group& group = {});
double sigma_blend(const Recipe& recipe, const Moment& moment);
LossOptions loss_at(const Recipe& recipe, const Moment& moment);

// The ranks over which batch norm takes its statistics: those of `group`, or, if the recipe says so, this one alone.
Group norms_group(const Recipe& recipe, const Group& group);

// The share of entries of z [N, K] that are zero, over all ranks.
double zero_share(const at::Tensor& z, const Group& group);

}  // namespace orthant
