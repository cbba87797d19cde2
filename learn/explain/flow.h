#pragma once

#include <ATen/core/Tensor.h>

#include "learn/nn/encoder.h"

namespace orthant {

// How the last layer of a network came to differ between pictures and others that they are compared with, and what that
// has to do with their pixels.
//
// A part that belongs to a unit is shared out to the units below it that moved it the way it went: unit j went up from
// the other picture to this one by a sum of w_ij d_i, d_i how far unit i did, so each i with w_ij d_i > 0 has its share
// by that size; the same with < 0 of one that went down. ReLU and batch norm (by its running statistics) hand a part
// on, a sum of two branches shares it out in the same way, and that of the largest of some goes to the one that was it.
// Nothing is lost on the way, and parts of one sign stay so: what one unit adds, another below it does not take away.
class Flow {
 public:
  // Runs both [N, C, H, W] through the network, which must be in evaluation mode and end in a mean over places: see
  // Encoder::grid().
  Flow(Encoder& encoder, const at::Tensor& pictures, const at::Tensor& others);

  // Of the pictures and of the others, [N, F, h, w]; undefined if the network ends otherwise.
  const at::Tensor& grid() const { return grid_; }
  const at::Tensor& other_grid() const { return other_grid_; }

  // Parts [N, F, h, w] of the units of the last layer, 0 where a unit does not differ, as parts of pixels [N, H, W]
  // with the same sum for each picture.
  at::Tensor to_pixels(const at::Tensor& parts) const;

 private:
  at::Tensor input_;  // pictures, then others, connected to `both_`
  at::Tensor both_;
  at::Tensor grid_;
  at::Tensor other_grid_;
};

}  // namespace orthant
