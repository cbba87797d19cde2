#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "learn/explain/where_options.h"
#include "learn/nn/model.h"
#include "orthant/core/image.h"
#include "orthant/heat/heat_maps.h"

namespace orthant {

// What is asked of one picture: these features, and with `other` [K] the similarity to what has these features.
struct PictureQuestion {
  std::span<const int64_t> features = {};
  std::span<const float> other = {};
  int64_t strongest = 0;  // instead of `features`: as many of the picture's own, the strongest first
};

struct PictureMaps {
  heat::HeatMaps maps;            // one for each feature, then that of the similarity
  std::vector<int64_t> features;  // that were asked for, or found
};

// Where in a picture or the spectrogram of a sound, prepared as the model's preprocessing says, features fire: Where
// (learn/explain/where.h) of one picture. std::invalid_argument as there, or if nothing is asked for.
PictureMaps picture_maps(Model& model, const Image& picture, const PictureQuestion& question,
                         const WhereOptions& options = {});

// The features of a picture behind sigma+ [K], as `orthant embed` gives them.
std::vector<float> picture_features(Model& model, const Image& picture);

}  // namespace orthant
