#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "orthant/heat/heat_maps.h"

namespace orthant::report {

// Where in a picture features fire, as JSON text like that of documents.h: maps of `features` and, if the picture was
// compared with item `with`, a last one of their similarity. `picture` is the picture's size, where that is known.
// std::invalid_argument if there are not as many maps.
struct PictureSize {
  int64_t width = 0;
  int64_t height = 0;
};
std::string where_document(const heat::HeatMaps& maps, std::span<const int64_t> features, std::optional<int64_t> with,
                           const std::optional<PictureSize>& picture = {});

}  // namespace orthant::report
