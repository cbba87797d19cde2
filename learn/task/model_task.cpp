#include "learn/task/model_task.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "orthant/data/vector_statistics.h"

namespace orthant {
namespace {

// What the network takes from its vectors, and divides them by, is what they are like. An element that never changes
// is not divided.
void standardise(Encoder& encoder, const Dataset& data) {
  const VectorStatistics statistics = vector_statistics(data);
  encoder.visit_buffers([&](const std::string& name, at::Tensor& tensor) {
    if (name != kInputMean && name != kInputDeviation) return;
    const std::vector<double>& values = name == kInputMean ? statistics.mean : statistics.deviation;
    for (size_t j = 0; j < values.size(); ++j) {
      const bool constant = statistics.deviation[j] == 0 && name == kInputDeviation;
      tensor.data_ptr<float>()[j] = constant ? 1.0F : static_cast<float>(values[j]);
    }
  });
}

}  // namespace

Model new_model(const ModelOptions& options, int64_t seed, const Dataset& data) {
  Model model(options, static_cast<uint64_t>(seed));
  if (options.backbone.standardise && data.info().dims > 0) standardise(model.encoder(), data);
  model.train(true);
  return model;
}

LoaderOptions loader_options(const Recipe& recipe, const Group& group) {
  LoaderOptions options;
  options.batch = recipe.train.batch;
  options.views = recipe.train.view_count;
  options.cache_bytes = recipe.train.cache_mib << 20;
  options.vector_noise = recipe.data.vector_noise;
  options.vector_dropout = recipe.data.vector_dropout;
  options.seed = recipe.train.seed;
  options.part = group.rank();
  options.parts = group.size();
  options.threads = recipe.train.loader_threads > 0 ? recipe.train.loader_threads : recipe.train.threads;
  return options;
}

double sigma_blend(const Recipe& recipe, const Moment& moment) {
  const double warmup = recipe.train.activation_warmup * static_cast<double>(moment.steps);
  return warmup > 0 ? std::min(1.0, static_cast<double>(moment.step) / warmup) : 1.0;
}

LossOptions loss_at(const Recipe& recipe, const Moment& moment) {
  LossOptions loss = recipe.loss;
  if (loss.temperature_start > 0) {
    const double done = static_cast<double>(moment.step) / static_cast<double>(moment.steps);
    const double left = 0.5 * (1 + std::cos(std::numbers::pi * done));
    loss.temperature = std::pow(loss.temperature_start, left) * std::pow(recipe.loss.temperature, 1 - left);
  }
  return loss;
}

Group norms_group(const Recipe& recipe, const Group& group) { return recipe.train.norms_apart ? Group() : group; }

double zero_share(const at::Tensor& z, const Group& group) {
  if (group.alone()) return z.eq(0).to(at::kFloat).mean().item<double>();
  at::Tensor counts = at::stack({z.eq(0).sum(), at::scalar_tensor(z.numel(), at::kLong)});
  group.sum(counts, "zeros of the features");
  return static_cast<double>(counts[0].item<int64_t>()) / static_cast<double>(counts[1].item<int64_t>());
}

}  // namespace orthant
