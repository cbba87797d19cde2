#include "learn/train/optimiser.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "learn/nn/encoder.h"
#include "learn/train/optimiser_kernels.h"
#include "learn/train/orthogonal.h"
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

// Rows of a table are looked up one by one and are no map from one space to another.
bool is_map(const std::string& name, const at::Tensor& weights) {
  const bool table = name.ends_with(kWordTable) || name.ends_with(kPlaceTable) || name.ends_with(kNodeTable);
  return weights.dim() >= 2 && weights.size(0) > 1 && !table;
}

}  // namespace

struct Optimiser::State {
  OptimiserOptions options;
  int threads = 0;
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

  // A step of the size that adamw's have, along the orthogonal matrix next to the momentum.
  void muon(Slot& slot, double rate) {
    constexpr double kAdamSize = 0.2;  // of an entry, root mean square
    const at::NoGradGuard guard;
    const at::Tensor gradient = aligned_gradient(slot.weights);
    slot.first.mul_(options.momentum).add_(gradient);
    const at::Tensor ahead = gradient.add(slot.first, options.momentum).flatten(1);
    const double size = kAdamSize * std::sqrt(static_cast<double>(std::max(ahead.size(0), ahead.size(1))));
    if (slot.decays) slot.weights.mul_(1 - rate * options.weight_decay);
    slot.weights.sub_(orthogonal(ahead).reshape(slot.weights.sizes()), rate * size);
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
  const std::string& kind = options.name;
  check(kind == "lars" || kind == "sgd" || kind == "adamw" || kind == "muon",
        "[optimiser] expected lars, sgd, adamw or muon, got '", kind, "'");
  state_->steps = at::zeros({1}, at::kLong);
  visit_all([&](const std::string& name, at::Tensor& weights) {
    check(weights.scalar_type() == at::kFloat && weights.is_non_overlapping_and_dense(),
          "[optimiser] expected dense float32 parameters, got another kind for ", name);
    const at::Tensor zeros = at::zeros_like(weights.detach(), at::MemoryFormat::Preserve);
    const bool moments = kind == "adamw" || (kind == "muon" && !is_map(name, weights));
    state_->slots.push_back({name, weights, zeros, moments ? zeros.clone() : at::Tensor(), !decays || decays(name)});
  });
}

Optimiser::~Optimiser() = default;
Optimiser::Optimiser(Optimiser&&) noexcept = default;

void Optimiser::step(double rate) {
  const double count = static_cast<double>(++*state_->steps.data_ptr<int64_t>());
  for (Slot& slot : state_->slots) {
    if (!slot.weights.grad().defined()) continue;
    if (slot.second.defined()) {
      state_->adamw(slot, rate, count);
    } else if (state_->options.name == "muon") {
      state_->muon(slot, rate);
    } else {
      state_->momentum(slot, rate);
    }
  }
}

void Optimiser::clear_gradients() {
  for (Slot& slot : state_->slots) slot.weights.mutable_grad() = at::Tensor();
}

void Optimiser::visit_state(const TensorVisitor& visit) {
  bool counts = false;
  for (Slot& slot : state_->slots) {
    const bool adam = slot.second.defined();
    visit((adam ? "first." : "momentum.") + slot.name, slot.first);
    if (adam) visit("second." + slot.name, slot.second);
    counts = counts || adam;
  }
  if (counts) visit("steps", state_->steps);
}

}  // namespace orthant
