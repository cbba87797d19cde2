#pragma once

#include <array>
#include <cstdint>

#include "orthant/core/rng.h"
#include "orthant/views/options.h"

namespace orthant {

// One axis of a crop followed by a resize: of the pixels [begin, begin + length) of the picture, which are resized to
// `resized` pixels, those from `offset` on are the view.
struct CropAxis {
  int64_t begin = 0;
  int64_t length = 0;
  int64_t resized = 0;
  int64_t offset = 0;

  bool operator==(const CropAxis&) const = default;
};

enum class ColourOp : uint8_t { kBrightness, kContrast, kSaturation, kHue };

// Every random choice that makes one view of one picture. With the same parameters a view has the same bytes on every
// CPU. A factor of 1, a hue of 0 and a sigma of 0 change nothing.
struct ViewParameters {
  CropAxis rows;
  CropAxis columns;
  std::array<ColourOp, 4> order{ColourOp::kBrightness, ColourOp::kContrast, ColourOp::kSaturation, ColourOp::kHue};
  double brightness = 1;
  double contrast = 1;
  double saturation = 1;
  double hue = 0;  // turns, from -0.5 to 0.5
  bool grey = false;
  double blur_sigma = 0;
  bool solarise = false;
  bool flip = false;

  bool operator==(const ViewParameters&) const = default;
};

// Draws the choices for a picture of height x width from `rng`, in the recipe's order. Nothing else is read: the same
// stream gives the same parameters. `options` must be valid; std::invalid_argument if a side of the picture is below 1.
ViewParameters sample_parameters(const ViewOptions& options, int64_t height, int64_t width, Rng& rng);

}  // namespace orthant
