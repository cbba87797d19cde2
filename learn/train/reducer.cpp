#include "learn/train/reducer.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

#include <algorithm>
#include <vector>

namespace orthant {
namespace {

// Few enough bytes that the first leaves early, enough that the time a message takes whatever its size is not felt.
constexpr int64_t kBucket = 1 << 18;  // elements

struct Bucket {
  std::vector<at::Tensor> parameters = {};
  at::Tensor values = {};  // of their gradients, one behind the other
  size_t ready = 0;
  PendingSum sum = PendingSum();
};

// Copies gradients into the bucket, or makes them those of the bucket.
template <class Visit>
void for_each_gradient(Bucket& bucket, const Visit& visit) {
  int64_t offset = 0;
  for (at::Tensor& parameter : bucket.parameters) {
    if (parameter.grad().defined()) visit(parameter.mutable_grad(), bucket.values.narrow(0, offset, parameter.numel()));
    offset += parameter.numel();
  }
}

struct Hook : torch::autograd::FunctionPostHook {
  explicit Hook(std::function<void()> call) : ready(std::move(call)) {}
  torch::autograd::variable_list operator()(const torch::autograd::variable_list& outputs,
                                            const torch::autograd::variable_list& /*inputs*/) override {
    ready();
    return outputs;
  }
  std::function<void()> ready;
};

}  // namespace

struct Reducer::State {
  Group group;
  std::vector<Bucket> buckets = {};
  size_t sent = 0;  // buckets on their way
  bool early = false;
  std::vector<std::pair<std::shared_ptr<torch::autograd::Node>, uintptr_t>> hooks = {};

  ~State() {
    for (const auto& [node, key] : hooks) node->del_post_hook(key);
  }

  void watch(const at::Tensor& parameter, size_t bucket) {
    auto node = torch::autograd::impl::grad_accumulator(parameter);
    const auto key = node->add_post_hook(std::make_unique<Hook>([this, bucket] { note(bucket); }));
    hooks.emplace_back(std::move(node), key);
  }

  void note(size_t bucket) {
    if (!early) return;
    ++buckets[bucket].ready;
    while (sent < buckets.size() && buckets[sent].ready == buckets[sent].parameters.size()) send();
  }

  void send() {
    const at::NoGradGuard no_gradients;
    Bucket& bucket = buckets[sent++];
    bucket.values.zero_();  // where there is no gradient
    for_each_gradient(
        bucket, [](at::Tensor& gradient, const at::Tensor& place) { place.view(gradient.sizes()).copy_(gradient); });
    bucket.sum = group.begin_sum(bucket.values, "sums of gradients");
  }
};

Reducer::Reducer(const VisitAll& visit_all, const Group& group) : state_(std::make_unique<State>(State{group})) {
  if (group.alone()) return;
  std::vector<at::Tensor> parameters;
  visit_all([&](const std::string&, at::Tensor& parameter) { parameters.push_back(parameter); });
  int64_t room = 0;
  std::vector<int64_t> sizes;
  for (auto parameter = parameters.rbegin(); parameter != parameters.rend(); ++parameter) {
    if (sizes.empty() || room <= 0) {
      state_->buckets.emplace_back();
      sizes.push_back(0);
      room = kBucket;
    }
    state_->watch(*parameter, state_->buckets.size() - 1);
    state_->buckets.back().parameters.push_back(*parameter);
    sizes.back() += parameter->numel();
    room -= parameter->numel();
  }
  for (size_t i = 0; i < sizes.size(); ++i) state_->buckets[i].values = at::zeros({sizes[i]});
}

Reducer::~Reducer() = default;
Reducer::Reducer(Reducer&&) noexcept = default;

void Reducer::begin(bool early) {
  state_->early = early;
  state_->sent = 0;
  for (Bucket& bucket : state_->buckets) bucket.ready = 0;
}

void Reducer::finish() {
  const at::NoGradGuard no_gradients;
  while (state_->sent < state_->buckets.size()) state_->send();
  for (Bucket& bucket : state_->buckets) {
    bucket.sum.wait();
    for_each_gradient(bucket, [](at::Tensor& gradient, const at::Tensor& place) {
      gradient = at::empty_like(gradient, at::MemoryFormat::Preserve).copy_(place.view(gradient.sizes()));
    });
  }
}

}  // namespace orthant
