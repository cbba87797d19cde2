#include "learn/task/online_classifier.h"

#include <ATen/ATen.h>

#include "orthant/core/error.h"

namespace orthant {

struct OnlineClassifier::State {
  at::Tensor weight;
  at::Tensor bias;
  at::Tensor weight_momentum;
  at::Tensor bias_momentum;
  at::Tensor weight_gradient = {};  // undefined: no row had a label
  at::Tensor bias_gradient = {};
};

OnlineClassifier::OnlineClassifier(int64_t features, int64_t classes)
    : state_(std::make_unique<State>(State{at::zeros({classes, features}), at::zeros({classes}),
                                           at::zeros({classes, features}), at::zeros({classes})})) {}

OnlineClassifier::~OnlineClassifier() = default;

OnlineClassifier::Result OnlineClassifier::backward(const at::Tensor& features, std::span<const int64_t> labels,
                                                    const Group& group) {
  const auto batch = static_cast<int64_t>(labels.size());
  check(batch > 0 && features.size(0) % batch == 0, "[online classifier] expected a multiple of ", batch, " rows, got ",
        features.size(0));
  const at::NoGradGuard no_gradients;
  const at::Tensor one_view = at::from_blob(const_cast<int64_t*>(labels.data()), {batch}, at::kLong);
  const at::Tensor all = one_view.repeat({features.size(0) / batch});
  const at::Tensor known = all.ge(0).nonzero().squeeze(1);
  state_->weight_gradient = at::Tensor();

  const at::Tensor target = all.index_select(0, known);
  const at::Tensor input = features.detach().index_select(0, known);
  const at::Tensor scores = at::log_softmax(at::addmm(state_->bias, input, state_->weight.t()), 1);
  const at::Tensor correct = scores.argmax(1).eq(target).sum();
  const at::Tensor loss = -scores.gather(1, target.unsqueeze(1)).sum();
  at::Tensor sums =
      at::stack({at::scalar_tensor(known.numel(), at::kDouble), correct.to(at::kDouble), loss.to(at::kDouble)});
  group.sum(sums, "sums of the classifier");
  Result result;
  result.counted = static_cast<int64_t>(sums[0].item<double>());
  if (result.counted == 0) return {};
  result.correct = static_cast<int64_t>(sums[1].item<double>());
  result.loss = sums[2].item<double>() / static_cast<double>(result.counted);

  at::Tensor slope = scores.exp();
  slope.scatter_add_(1, target.unsqueeze(1), at::full({known.numel(), 1}, -1.0F));
  slope.div_(static_cast<double>(result.counted));
  state_->weight_gradient = at::mm(slope.t(), input);
  state_->bias_gradient = slope.sum(0);
  group.sum(state_->weight_gradient, "gradients of the classifier");
  group.sum(state_->bias_gradient, "gradients of the classifier");
  return result;
}

void OnlineClassifier::step(double rate) {
  if (!state_->weight_gradient.defined()) return;
  const at::NoGradGuard no_gradients;
  state_->weight_momentum.mul_(0.9).add_(state_->weight_gradient);
  state_->bias_momentum.mul_(0.9).add_(state_->bias_gradient);
  state_->weight.sub_(state_->weight_momentum, rate);
  state_->bias.sub_(state_->bias_momentum, rate);
}

void OnlineClassifier::visit_state(const TensorVisitor& visit) {
  visit("weight", state_->weight);
  visit("bias", state_->bias);
  visit("weight_momentum", state_->weight_momentum);
  visit("bias_momentum", state_->bias_momentum);
}

}  // namespace orthant
