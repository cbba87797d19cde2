#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "orthant/core/image.h"
#include "orthant/report/contact_sheet.h"

namespace orthant::cli {

// The severities that a sheet shows.
constexpr std::array kShownSeverities = {1, 3, 5};

// A row per corruption: the picture, which is item `item` of its data set, at each of kShownSeverities.
std::vector<SheetRow> corruption_rows(const Image& picture, uint64_t seed, int64_t item);

}  // namespace orthant::cli
