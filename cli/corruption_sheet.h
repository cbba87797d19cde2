#pragma once

#include <cstdint>
#include <vector>

#include "orthant/core/image.h"
#include "orthant/report/contact_sheet.h"

namespace orthant::cli {

// A row per corruption: the picture, which is item `item` of its data set, at every severity.
std::vector<SheetRow> corruption_rows(const Image& picture, uint64_t seed, int64_t item);

}  // namespace orthant::cli
