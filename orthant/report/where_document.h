#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "orthant/heat/heat_maps.h"
#include "orthant/report/where_item.h"

namespace orthant::report {

// Where in a picture or a sound features fire, as JSON text like that of documents.h: maps of `features` and, if it was
// compared with item `with`, a last one of their similarity. `item` is what was asked, where it is one of the items;
// its maps have their box on the picture that is shown. std::invalid_argument if there are not as many maps.
std::string where_document(const heat::HeatMaps& maps, std::span<const int64_t> features, std::optional<int64_t> with,
                           const WhereItem* item = nullptr);

}  // namespace orthant::report
