#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "orthant/core/features.h"

namespace orthant::measure {

struct OfficialRetrievalOptions {
  int64_t step = 32;  // numbers of columns kept: 0, step, 2 step, ... below D; all D are never evaluated
  int threads = 0;    // 0: what the machine offers
  std::function<void(int64_t done, int64_t total)> progress = nullptr;  // queries; may throw
};

struct OfficialRetrievalPoint {
  int64_t columns = 0;   // kept
  double precision = 0;  // called mAP@10 by the official code, which it is not
};

// What the official evaluation of the paper computes for its retrieval curve, quirks included: rows scaled to unit
// length over all columns; columns ordered by their sum, largest first; for each number of columns kept the squared
// distance over those columns, without scaling again; the ten rows at places 1 to 10 of the ascending order. Place 0 is
// taken for the row itself without looking; where the row turns up later, it is skipped and the divisor stays ten. The
// score is hits / 10, averaged over all rows. Equal sums and equal distances rank by lower index (the original leaves
// that to its sort). One pass over all pairs serves every number of columns. Labels [N] are compared as they are: -1 is
// a class like any other. std::invalid_argument if the labels' length does not fit, step < 1 or an entry is NaN or
// infinite.
std::vector<OfficialRetrievalPoint> official_retrieval(const Features& features, std::span<const int64_t> labels,
                                                       const OfficialRetrievalOptions& options = {});

}  // namespace orthant::measure
