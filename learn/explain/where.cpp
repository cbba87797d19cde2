#include "learn/explain/where.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <optional>

#include "learn/explain/flow.h"
#include "learn/nn/nonneg.h"
#include "learn/nn/tensors.h"
#include "orthant/core/error.h"

namespace orthant {
namespace {

using heat::HeatMaps;
using heat::Method;

constexpr int64_t kMostCells = 32;  // a side of an additive map

// [N, M, K] weights: how the weighted sums of the projector's output change with its input, [N, M, F].
at::Tensor slopes(Projector& projector, const at::Tensor& features, const at::Tensor& weights) {
  const int64_t pictures = weights.size(0);
  const int64_t values = weights.size(1);
  const at::AutoGradMode on(true);
  const at::Tensor input =
      features.unsqueeze(1).expand({pictures, values, -1}).reshape({pictures * values, -1}).clone().requires_grad_();
  const at::Tensor sum = (projector.forward(input) * weights.reshape({pictures * values, -1})).sum();
  return torch::autograd::grad({sum}, {input}).front().reshape({pictures, values, -1});
}

// Cell i of `count` along a side of `length` pixels begins here.
int64_t border(int64_t i, int64_t count, int64_t length) { return i * length / count; }

// Pictures [N, C, H, W] that have the middle colour of each everywhere: the median of each channel, which is that of
// the ground where a figure is on one.
at::Tensor plain(const at::Tensor& pictures) {
  const at::Tensor middle = std::get<0>(pictures.flatten(2).median(2));
  return middle.unsqueeze(2).unsqueeze(3).expand_as(pictures).contiguous();
}

// [length, count]: 1 where a pixel is in a cell.
at::Tensor membership(int64_t length, int64_t count) {
  at::Tensor in = at::zeros({length, count});
  for (int64_t cell = 0; cell < count; ++cell) {
    for (int64_t at = border(cell, count, length); at < border(cell + 1, count, length); ++at) in[at][cell] = 1;
  }
  return in;
}

// Parts of pixels [N, H, W] as the sums of rows x cols cells, [N, rows cols].
at::Tensor summed(const at::Tensor& pixels, int64_t rows, int64_t cols) {
  const at::Tensor lines = at::matmul(pixels, membership(pixels.size(2), cols));
  return at::matmul(membership(pixels.size(1), rows).t(), lines).flatten(1);
}

// One picture [C, H, W] with each cell covered in turn, [cells, C, H, W].
at::Tensor covered(const at::Tensor& picture, int64_t cells) {
  const at::Tensor copies = picture.unsqueeze(0).repeat({cells * cells, 1, 1, 1});
  const at::Tensor mean = picture.mean(at::IntArrayRef{1, 2}).reshape({-1, 1, 1});
  const int64_t height = picture.size(1);
  const int64_t width = picture.size(2);
  for (int64_t i = 0; i < cells; ++i) {
    for (int64_t j = 0; j < cells; ++j) {
      const int64_t top = border(i, cells, height);
      const int64_t left = border(j, cells, width);
      copies[i * cells + j]
          .narrow(1, top, border(i + 1, cells, height) - top)
          .narrow(2, left, border(j + 1, cells, width) - left)
          .copy_(mean.expand({-1, border(i + 1, cells, height) - top, border(j + 1, cells, width) - left}));
    }
  }
  return copies;
}

std::vector<float> floats_of(const at::Tensor& tensor) {
  const at::Tensor flat = tensor.to(at::kFloat).contiguous();
  return {flat.data_ptr<float>(), flat.data_ptr<float>() + flat.numel()};
}

}  // namespace

struct Where::State {
  Model& model;
  Method method;
  int64_t rows = 0;
  int64_t cols = 0;
  // Additive: [N, F, h, w] how far the last layer is from that of the plain picture; occlusion: [N, g g, K] features
  // when a cell is covered.
  at::Tensor cells = {};
  std::optional<Flow> flow = std::nullopt;  // additive, unless maps are of the last layer's places
  at::Tensor pooled = {};                   // additive: [N, F]
  at::Tensor before = {};                   // [N, K]
};

Where::Where(Model& model, const at::Tensor& pictures, const WhereOptions& options) {
  const std::string& name = model.options().backbone.name;
  check(model.encoder().input_shape().size() == 3, "[where] expected a model of pictures, got ", name);
  check(pictures.dim() == 4 && pictures.size(0) > 0, "[where] expected pictures [N, C, H, W], got shape ",
        shape_of(pictures));
  const EvalScope eval(model);
  std::optional<Flow> flow;
  if (options.method != Method::kOcclusion) flow.emplace(model.encoder(), pictures, plain(pictures));
  const bool additive = flow && flow->grid().defined();
  check(additive || options.method != Method::kAdditive,
        "[where] expected a network that ends in a mean over places for additive maps, got ", name,
        ", which has occlusion maps only");
  state_ = std::make_unique<State>(State{.model = model, .method = additive ? Method::kAdditive : Method::kOcclusion});
  if (additive) {
    const at::Tensor& grid = flow->grid();
    state_->rows = options.places ? grid.size(2) : std::min(pictures.size(2), kMostCells);
    state_->cols = options.places ? grid.size(3) : std::min(pictures.size(3), kMostCells);
    state_->pooled = grid.contiguous().flatten(2).mean(2);
    state_->cells = grid - flow->other_grid();
    state_->before = model.project(state_->pooled);
    if (!options.places) state_->flow = std::move(flow);
    return;
  }
  const int64_t side = options.occlusion_grid;
  check(side > 0 && side <= std::min(pictures.size(2), pictures.size(3)), "[where] expected a grid of 1 to ",
        std::min(pictures.size(2), pictures.size(3)), " cells a side, got ", side);
  state_->rows = state_->cols = side;
  state_->before = model.project(model.backbone(pictures));
  std::vector<at::Tensor> all;
  for (int64_t i = 0; i < pictures.size(0); ++i)
    all.push_back(model.project(model.backbone(covered(pictures[i], side))));
  state_->cells = at::stack(all);
}

Where::~Where() = default;

const at::Tensor& Where::before() const { return state_->before; }
at::Tensor Where::features() const { return nonneg(state_->before, state_->model.options().activation); }

std::vector<HeatMaps> Where::maps(const at::Tensor& weights) const {
  const at::Tensor& before = state_->before;
  check(weights.dim() == 3 && weights.size(0) == before.size(0) && weights.size(2) == before.size(1),
        "[where] expected weights [", before.size(0), ", M, ", before.size(1), "], got shape ", shape_of(weights));
  const EvalScope eval(state_->model);
  const at::Tensor values = at::einsum("nmk,nk->nm", {weights, before});
  at::Tensor parts;  // [N, M, rows cols]
  at::Tensor rests = at::zeros_like(values);
  if (state_->method == Method::kAdditive) {
    const at::Tensor slope = slopes(state_->model.projector(), state_->pooled, weights);
    const at::Tensor cells = state_->cells.flatten(2);
    rests = values - at::einsum("nmf,nf->nm", {slope, cells.mean(2)});
    const auto places = static_cast<double>(cells.size(2));
    if (!state_->flow) {
      parts = at::matmul(slope, cells) / places;
    } else {
      std::vector<at::Tensor> all;
      for (int64_t m = 0; m < weights.size(1); ++m) {
        const at::Tensor units = slope.select(1, m).unsqueeze(2).unsqueeze(3) * state_->cells / places;
        all.push_back(summed(state_->flow->to_pixels(units), state_->rows, state_->cols));
      }
      parts = at::stack(all, 1);
    }
  } else {
    parts = values.unsqueeze(2) - at::einsum("nmk,nck->nmc", {weights, state_->cells});
  }
  std::vector<HeatMaps> all;
  for (int64_t i = 0; i < weights.size(0); ++i) {
    HeatMaps maps{.method = state_->method, .rows = state_->rows, .cols = state_->cols};
    maps.maps = Matrix(weights.size(1), state_->rows * state_->cols, floats_of(parts[i]));
    maps.values = floats_of(values[i]);
    maps.rests = floats_of(rests[i]);
    all.push_back(std::move(maps));
  }
  return all;
}

at::Tensor Where::of_features(std::span<const int64_t> features) const {
  const int64_t count = state_->before.size(1);
  at::Tensor weights = at::zeros({static_cast<int64_t>(features.size()), count});
  for (size_t m = 0; m < features.size(); ++m) {
    check(features[m] >= 0 && features[m] < count, "[where] expected a feature from 0 to ", count - 1, ", got ",
          features[m]);
    weights[static_cast<int64_t>(m)][features[m]] = 1;
  }
  return weights.unsqueeze(0).expand({state_->before.size(0), -1, -1}).contiguous();
}

at::Tensor Where::of_matches(const at::Tensor& others) const {
  const at::Tensor& before = state_->before;
  check(others.sizes() == before.sizes(), "[where] expected features ", shape_of(before), " of others, got shape ",
        shape_of(others));
  const at::Tensor own = features();
  const at::Tensor gain = at::where(before.eq(0), at::zeros_like(before), own / before);
  const at::Tensor norms = own.norm(2, 1, true) * others.norm(2, 1, true);
  const at::Tensor scale = at::where(norms.eq(0), at::zeros_like(norms), 1 / norms);
  return (gain * others * scale).unsqueeze(1);
}

}  // namespace orthant
