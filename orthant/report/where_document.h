#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "orthant/heat/heat_maps.h"

namespace orthant::report {

// Where in a picture features fire, as JSON text like that of documents.h: maps of `features` and, if the picture was
// compared with item `with`, a last one of their similarity. std::invalid_argument if there are not as many maps.
std::string where_document(const heat::HeatMaps& maps, std::span<const int64_t> features, std::optional<int64_t> with);

}  // namespace orthant::report
