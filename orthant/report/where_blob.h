#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "orthant/catalogue/catalogue.h"
#include "orthant/heat/question.h"
#include "orthant/report/run_blobs.h"

namespace orthant::report {

// "rR.where" of run number r: where its features fire in their strongest items, at most 12 of each side of a feature
// and about 4,096 maps in all, as JSON (docs/report.md). Parts are rounded to one of 255 steps. `answer` is asked once
// for each picture, in order; what it throws ends the work, as does what `progress` throws.
Blob where_blob(const catalogue::Catalogue& run, int64_t r, const heat::Answer& answer,
                const std::function<void(const std::string& what, int64_t done, int64_t total)>& progress = {});

}  // namespace orthant::report
