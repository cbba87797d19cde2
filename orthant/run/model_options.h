#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "orthant/run/activation_options.h"
#include "orthant/run/backbone_options.h"
#include "orthant/run/projector_options.h"
#include "orthant/text/text_options.h"
#include "orthant/views/sound_options.h"

namespace orthant {

// What turns a picture into the network's input when there is no augmentation; the fields mean what those of
// ViewOptions (orthant/views/options.h) of the same name mean.
struct Preprocessing {
  int64_t size = 32;
  int64_t channels = 3;
  std::string crop = "centre";
  double centre_fraction = 1.0;
  std::array<double, 3> mean = {0.4914, 0.4822, 0.4465};
  std::array<double, 3> std = {0.2470, 0.2435, 0.2616};
  SoundOptions sound = {};  // with seconds above 0: the pictures are spectrograms of sounds

  bool operator==(const Preprocessing&) const = default;
};

// Everything that says what a model is, apart from its weights: what `embed` needs to use it without being told.
struct ModelOptions {
  BackboneOptions backbone;
  ProjectorOptions projector;
  ActivationOptions activation;
  Preprocessing preprocessing;  // of pictures and sounds
  TextOptions text;             // of texts
  double temperature = 0.2;
  std::string method = "ncl";  // how it was trained: free text
  // Anything else worth keeping, such as the data set's name. Keys must not contain '.'.
  std::map<std::string, std::string> notes;

  bool operator==(const ModelOptions&) const = default;
};

}  // namespace orthant
