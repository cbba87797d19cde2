#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <ATen/core/Tensor.h>

#include "learn/explain/where_options.h"
#include "learn/nn/model.h"
#include "orthant/heat/heat_maps.h"

namespace orthant {

// Where in pictures the features of a model fire, before sigma+.
//
// Additive, of networks that end in a mean over places (conv-mini, ResNets): with A [F, h, w] what that mean is taken
// of, A0 the same of a plain picture that has the middle colour of this one everywhere (the median of each channel),
// and J the slopes of the projector at the picture's own features (layers, ReLU, batch norm by its running statistics
// and the gate are linear in pieces), channel c of place p adds J_c (A_c(p) - A0_c(p)) / (h w) to what the plain
// picture has by these slopes, the rest. Parts and rest are the features exactly. The places are few, and each sees
// much of a picture, so their parts are shared out to the pixels that made them differ (learn/explain/flow.h), which
// keeps the sum, and are added up in cells of a grid: the pixels, or 32 x 32 of larger pictures. With `places` the grid
// is that of the last layer: each cell has what is exactly its own, but lies anywhere within its receptive field.
//
// Occlusion, of any network of pictures: cells of a grid are covered one by one by the mean colour of the picture, and
// the part of a cell is how far the value falls. Costs as many passes as there are cells.
//
// Pictures may be anything that the model takes as such, [N, C, H, W], of any size that it takes. The model must
// outlive this, and keep its weights. Not safe from several threads.
class Where {
 public:
  // Runs the pictures through the network. std::invalid_argument for a model that does not take pictures, pictures of
  // another shape, a method that the network does not have, or a grid that is finer than the pictures.
  Where(Model& model, const at::Tensor& pictures, const WhereOptions& options = {});
  ~Where();

  // The features before sigma+ [N, K], and behind it.
  const at::Tensor& before() const;
  at::Tensor features() const;

  // For each picture the maps of M values, each a sum of features before sigma+ with these weights [N, M, K]; the box
  // is left to the caller. std::invalid_argument for weights of another shape.
  std::vector<heat::HeatMaps> maps(const at::Tensor& weights) const;

  // Weights [N, M, K] of single features, the same for all pictures. std::invalid_argument for one that is not there.
  at::Tensor of_features(std::span<const int64_t> features) const;

  // Weights [N, 1, K] of the similarity (cosine) to features [N, K] of others: what a feature adds to it is its value
  // times the other's over both norms, and the value is that before sigma+ times what sigma+ makes of it (1 or 0 with a
  // ReLU). So a map's parts and its rest are the similarity. Zero where one of both has no feature.
  at::Tensor of_matches(const at::Tensor& others) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace orthant
