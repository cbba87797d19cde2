#pragma once

#include <optional>
#include <string>
#include <vector>

#include "orthant/core/image.h"
#include "orthant/heat/heat_maps.h"
#include "orthant/views/sound_axes.h"

namespace orthant::cli {

// What `orthant where` found out about one picture or sound.
struct PictureWhere {
  std::string name;                                     // id of the item, or the file
  Image picture = {};                                   // of a sound its spectrogram
  std::optional<views::SoundAxes> axes = std::nullopt;  // of that
  heat::HeatMaps maps = {};                             // one for each feature, and a last one if it was compared
  std::vector<int64_t> features = {};
  std::string with = {};  // id of the item that it was compared with; empty: none
};

// A sheet with a row for each picture: the picture, and its maps over it; of sounds the part that was looked at, with
// axes. With `by_feature` all pictures have one
// feature, and each row is a feature with its pictures in the order given, each beside its map.
Image where_sheet(const std::vector<PictureWhere>& all, bool by_feature);

// For each map of sounds a line: name, feature, value, and the time and band in which it is strongest.
std::string where_text(const std::vector<PictureWhere>& all);

// All of it as one JSON document, or as NumPy arrays in `path` (.npz).
std::string where_json(const std::string& run, const std::vector<PictureWhere>& all);
void write_where_npz(const std::string& path, const std::vector<PictureWhere>& all);

}  // namespace orthant::cli
