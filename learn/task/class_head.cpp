#include "learn/task/class_head.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "learn/nn/initialiser.h"
#include "learn/nn/nonneg.h"

namespace orthant {

ClassHead::ClassHead(int64_t features, int64_t classes, uint64_t seed, bool nonneg_weights) : nonneg_(nonneg_weights) {
  Initialiser init(seed);
  const double bound = 1 / std::sqrt(static_cast<double>(std::max<int64_t>(features, 1)));
  weight_ = init.uniform({classes, features}, bound);
  bias_ = init.uniform({classes}, bound);
  if (nonneg_) weight_.detach().abs_();
  parameter("fc.weight", weight_);
  parameter("fc.bias", bias_);
}

at::Tensor ClassHead::weights() const { return nonneg_ ? nonneg(weight_, {.name = "rep_relu"}) : weight_; }

at::Tensor ClassHead::forward(const at::Tensor& features) const { return at::linear(features, weights(), bias_); }

fit::LogisticModel ClassHead::classifier() const {
  const at::Tensor rows = weights().detach().contiguous();
  const at::Tensor bias = bias_.detach().contiguous();
  const float* values = rows.data_ptr<float>();
  const float* shifts = bias.data_ptr<float>();
  fit::LogisticModel model;
  model.weights = Matrix(rows.size(0), rows.size(1), std::vector<float>(values, values + rows.numel()));
  model.bias.assign(shifts, shifts + bias.numel());
  return model;
}

CrossEntropy cross_entropy(const at::Tensor& scores, const at::Tensor& classes, const CrossEntropyOptions& options,
                           const Group& group) {
  constexpr int64_t kNone = -100;  // PyTorch's default for a class to leave out
  at::Tensor weights;
  if (!options.class_weights.empty())
    weights = at::tensor(options.class_weights, scores.options().requires_grad(false));
  const auto correct = scores.argmax(1).eq(classes).sum().item<int64_t>();
  const auto reduced = [&](int64_t how) {
    return at::cross_entropy_loss(scores, classes, weights, how, kNone, options.smoothing);
  };
  if (group.alone()) return {reduced(at::Reduction::Mean), correct};
  const auto rows = static_cast<double>(classes.numel());
  const double weight = weights.defined() ? weights.index_select(0, classes).sum().item<double>() : rows;
  at::Tensor sums = at::tensor(std::vector<double>{weight, static_cast<double>(correct)}, at::kDouble);
  group.sum(sums, "weights of classes");
  return {shared_sum(group, reduced(at::Reduction::Sum) / sums[0].item<double>(), "sums of losses"),
          static_cast<int64_t>(sums[1].item<double>())};
}

}  // namespace orthant
