#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "orthant/catalogue/catalogue.h"
#include "orthant/heat/heat_maps.h"
#include "orthant/views/sound_axes.h"

namespace orthant::report {

struct PictureSize {
  int64_t width = 0;
  int64_t height = 0;
};

// What is asked of an item when one wants to know where in it features fire.
struct WhereItem {
  std::string question;                        // a PNG file of what the model takes: the picture, or a spectrogram
  PictureSize picture;                         // as it is shown
  std::optional<views::SoundAxes> asked = {};  // of a sound: the axes of what the model takes,
  std::optional<views::SoundAxes> shown = {};  // and of the picture that is shown
};

// Whether the items have pictures, and are sounds if and only if the run's model takes those.
bool can_ask_where(const catalogue::Catalogue& run);

// Item i of a run. std::invalid_argument unless can_ask_where(); IoError if it cannot be read.
WhereItem where_item(const catalogue::Catalogue& run, int64_t i);

// The maps with their box on the picture that is shown, where the answer has it on what the model took.
heat::HeatMaps on_picture(heat::HeatMaps maps, const WhereItem& item);

}  // namespace orthant::report
