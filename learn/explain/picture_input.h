#pragma once

#include <ATen/core/Tensor.h>

#include "orthant/core/image.h"
#include "orthant/heat/heat_maps.h"
#include "orthant/run/model_options.h"

namespace orthant {

// A picture as a model takes it, without augmentation, and which part of it that is. For a model of sounds `picture` is
// the spectrogram of one by preprocessing.sound with preprocessing.size bands; std::invalid_argument if it is not.
struct PictureInput {
  at::Tensor tensor;  // [1, C, size, size]
  heat::Box box;
};
PictureInput picture_input(const Image& picture, const Preprocessing& preprocessing);

}  // namespace orthant
