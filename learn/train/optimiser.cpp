#include "learn/train/optimiser.h"

#include <ATen/ATen.h>

#include <cmath>
#include <span>

#include "learn/train/optimiser_kernels.h"
#include "orthant/core/error.h"
#include "orthant/core/threads.h"

namespace orthant {
namespace {

constexpr int64_t kBlock = 1 << 16;  // elements per piece of work

std::span<float> elements(const at::Tensor& tensor) {
  return {tensor.data_ptr<float>(), static_cast<size_t>(tensor.numel())};
}

// The gradient with its elements in the order of the weights in memory.
at::Tensor aligned_gradient(const at::Tensor& weights) {
  const at::Tensor& gradient = weights.grad();
  if (gradient.strides() == weights.strides()) return gradient;
  return at::empty_like(weights, at::MemoryFormat::Preserve).copy_(gradient);
}

template <class Body>
void in_blocks(size_t size, int threads, const Body& body) {
  parallel_for(static_cast<int64_t>(size), kBlock, threads,
               [&](int64_t begin, int64_t end) { body(static_cast<size_t>(begin), static_cast<size_t>(end - begin)); });
}

// Blocks are summed in order, so that threads do not change the sum.
double norm(std::span<const float> values, int threads) {
  std::vector<double> parts(values.size() / kBlock + 1);
  in_blocks(values.size(), threads,
            [&](size_t begin, size_t count) { parts[begin / kBlock] = l2_norm(values.subspan(begin, count)); });
  double sum = 0;
  for (const double part : parts) sum += part * part;
  return std::sqrt(sum);
}

struct Slot {
  std::string name;
  at::Tensor weights;
  at::Tensor first;   // momentum, or adamw's first moment
  at::Tensor second;  // adamw only
  bool decays = true;
};

}  // namespace

struct Optimiser::State {
  OptimiserOptions options;
  int threads = 0;
  bool adam = false;
  std::vector<Slot> slots;
  at::Tensor steps;

  void momentum(Slot& slot, double rate) {
    const at::Tensor aligned = aligned_gradient(slot.weights);
    const auto weights = elements(slot.weights);
    const auto gradient = elements(aligned);
    const auto buffer = elements(slot.first);
    const MomentumStep step = momentum_of(slot, weights, gradient, rate);
    in_blocks(weights.size(), threads, [&](size_t begin, size_t count) {
      momentum_step(weights.subspan(begin, count), gradient.subspan(begin, count), buffer.subspan(begin, count), step);
    });
  }

  MomentumStep momentum_of(const Slot& slot, std::span<const float> weights, std::span<const float> gradient,
                           double rate) const {
    MomentumStep step{.rate = static_cast<float>(rate),
                      .momentum = static_cast<float>(options.momentum),
                      .decay = static_cast<float>(slot.decays ? options.weight_decay : 0)};
    if (options.name == "sgd") return step;
    const bool excluded = !slot.decays || (slot.weights.dim() == 1 && options.exclude_vectors);
    const double weight_norm = excluded ? 0 : norm(weights, threads);
    const double gradient_norm = excluded ? 0 : norm(gradient, threads);
    if (weight_norm == 0 || gradient_norm == 0) {
      step.decay = 0;
    } else {
      step.scale = static_cast<float>(
          lars_scale(weight_norm, gradient_norm, rate, options.weight_decay, options.eta, options.clip_rate));
    }
    return step;
  }

  void adamw(Slot& slot, double rate, double count) {
    const at::Tensor aligned = aligned_gradient(slot.weights);
    const auto weights = elements(slot.weights);
    const auto gradient = elements(aligned);
    const auto first = elements(slot.first);
    const auto second = elements(slot.second);
    const AdamStep step{.rate = static_cast<float>(rate),
                        .decay = static_cast<float>(slot.decays ? options.weight_decay : 0),
                        .beta1 = static_cast<float>(options.beta1),
                        .beta2 = static_cast<float>(options.beta2),
                        .epsilon = static_cast<float>(options.epsilon),
                        .correction1 = static_cast<float>(1 - std::pow(options.beta1, count)),
                        .correction2 = static_cast<float>(1 - std::pow(options.beta2, count))};
    in_blocks(weights.size(), threads, [&](size_t begin, size_t length) {
      adam_step(weights.subspan(begin, length), gradient.subspan(begin, length), first.subspan(begin, length),
                second.subspan(begin, length), step);
    });
  }
};

Optimiser::Optimiser(const VisitAll& visit_all, const OptimiserOptions& options, int threads, const Decays& decays)
    : state_(std::make_unique<State>()) {
  state_->options = options;
  state_->threads = threads;
  state_->adam = options.name == "adamw";
  check(state_->adam || options.name == "lars" || options.name == "sgd",
        "[optimiser] expected lars, sgd or adamw, got '", options.name, "'");
  state_->steps = at::zeros({1}, at::kLong);
  visit_all([&](const std::string& name, at::Tensor& weights) {
    check(weights.scalar_type() == at::kFloat && weights.is_non_overlapping_and_dense(),
          "[optimiser] expected dense float32 parameters, got another kind for ", name);
    const at::Tensor zeros = at::zeros_like(weights.detach(), at::MemoryFormat::Preserve);
    state_->slots.push_back(
        {name, weights, zeros, state_->adam ? zeros.clone() : at::Tensor(), !decays || decays(name)});
  });
}

Optimiser::~Optimiser() = default;
Optimiser::Optimiser(Optimiser&&) noexcept = default;

void Optimiser::step(double rate) {
  const double count = static_cast<double>(++*state_->steps.data_ptr<int64_t>());
  for (Slot& slot : state_->slots) {
    if (!slot.weights.grad().defined()) continue;
    if (state_->adam) {
      state_->adamw(slot, rate, count);
    } else {
      state_->momentum(slot, rate);
    }
  }
}

void Optimiser::clear_gradients() {
  for (Slot& slot : state_->slots) slot.weights.mutable_grad() = at::Tensor();
}

void Optimiser::visit_state(const TensorVisitor& visit) {
  const std::string prefix = state_->adam ? "first." : "momentum.";
  for (Slot& slot : state_->slots) {
    visit(prefix + slot.name, slot.first);
    if (state_->adam) visit("second." + slot.name, slot.second);
  }
  if (state_->adam) visit("steps", state_->steps);
}

}  // namespace orthant
