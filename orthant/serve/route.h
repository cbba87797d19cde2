#pragma once

#include <cstdint>
#include <vector>

#include "orthant/serve/message.h"

namespace orthant::serve {

// Everything that can be asked for (docs/api.md).
enum class Route {
  kPage,
  kOverview,
  kLabels,
  kIds,
  kTexts,
  kPicture,
  kPictures,
  kSound,
  kCompare,
  kFeatures,
  kFeature,
  kLabel,
  kNames,
  kItems,
  kItem,
  kClean,
  kExplain,
  kPca,
  kUmap,
  kActivations,
  kEmbed,
  kText,
  kWhere,
  kOwnWhere,
  kContrast,
  kRows,
  kChanged,
  kVote,
};

struct Match {
  Route route = Route::kPage;
  std::vector<int64_t> numbers = {};  // those in the path, in order; none is negative
};

// What a request asks for. Paths are compared as they were sent, without decoding: there is no file behind them, and
// "..", "%2e" or "\" are simply not in the table. StatusError 404 for a path that is not there, 405 for a method that
// it does not have (HEAD goes where GET does), 400 for something else where a number belongs.
Match find_route(const Request& request);

}  // namespace orthant::serve
