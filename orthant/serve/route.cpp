#include "orthant/serve/route.h"

#include <array>
#include <optional>
#include <string_view>

#include "orthant/serve/numbers.h"

namespace orthant::serve {
namespace {

struct Entry {
  Route route;
  std::string_view method;
  std::string_view path;  // # is a number
};

constexpr std::array kTable = {
    Entry{Route::kPage, "GET", "/"},
    Entry{Route::kOverview, "GET", "/api/v1/overview"},
    Entry{Route::kLabels, "GET", "/api/v1/labels"},
    Entry{Route::kIds, "GET", "/api/v1/ids"},
    Entry{Route::kTexts, "GET", "/api/v1/texts"},
    Entry{Route::kPicture, "GET", "/api/v1/items/#/picture"},
    Entry{Route::kPictures, "GET", "/api/v1/pictures"},
    Entry{Route::kSound, "GET", "/api/v1/items/#/sound"},
    Entry{Route::kCompare, "GET", "/api/v1/compare"},
    Entry{Route::kFeatures, "GET", "/api/v1/runs/#/features"},
    Entry{Route::kFeature, "GET", "/api/v1/runs/#/features/#"},
    Entry{Route::kLabel, "PUT", "/api/v1/runs/#/features/#/label"},
    Entry{Route::kNames, "GET", "/api/v1/runs/#/names"},
    Entry{Route::kItems, "GET", "/api/v1/runs/#/items"},
    Entry{Route::kItem, "GET", "/api/v1/runs/#/items/#"},
    Entry{Route::kClean, "GET", "/api/v1/runs/#/clean"},
    Entry{Route::kExplain, "GET", "/api/v1/runs/#/explain"},
    Entry{Route::kPca, "GET", "/api/v1/runs/#/map/pca"},
    Entry{Route::kUmap, "GET", "/api/v1/runs/#/map/umap"},
    Entry{Route::kActivations, "GET", "/api/v1/runs/#/activations/#"},
    Entry{Route::kEmbed, "POST", "/api/v1/runs/#/embed"},
    Entry{Route::kText, "POST", "/api/v1/runs/#/text"},
    Entry{Route::kWhere, "GET", "/api/v1/runs/#/items/#/where"},
    Entry{Route::kOwnWhere, "POST", "/api/v1/runs/#/where"},
    Entry{Route::kContrast, "POST", "/api/v1/runs/#/contrast"},
    Entry{Route::kRows, "POST", "/api/v1/runs/#/rows"},
    Entry{Route::kChanged, "GET", "/api/v1/runs/#/items/#/changed"},
    Entry{Route::kVote, "GET", "/api/v1/runs/#/vote"},
};

std::string_view take_segment(std::string_view& path) {
  const size_t end = path.find('/', 1);
  const std::string_view segment = path.substr(0, end);
  path = end == std::string_view::npos ? std::string_view() : path.substr(end);
  return segment;
}

// The segments where the pattern has a number; nothing if the path is another one.
std::optional<std::vector<std::string_view>> match(std::string_view pattern, std::string_view path) {
  std::vector<std::string_view> found;
  while (!pattern.empty() && !path.empty()) {
    const std::string_view expected = take_segment(pattern);
    const std::string_view segment = take_segment(path);
    if (expected == "/#" && segment.size() > 1) {
      found.push_back(segment.substr(1));
    } else if (expected != segment) {
      return {};
    }
  }
  if (!pattern.empty() || !path.empty()) return {};
  return found;
}

}  // namespace

Match find_route(const Request& request) {
  const std::string_view method = request.method == "HEAD" ? "GET" : std::string_view(request.method);
  for (const Entry& entry : kTable) {
    const auto found = match(entry.path, request.path);
    if (!found) continue;
    if (entry.method != method) {
      throw StatusError(405, "expected " + std::string(entry.method) + " here, got " + request.method,
                        entry.method == "GET" ? "GET, HEAD" : std::string(entry.method));
    }
    Match result{entry.route};
    for (const std::string_view text : *found) result.numbers.push_back(parse_number(text, "the path"));
    return result;
  }
  throw StatusError(404, "there is nothing at this path; docs/api.md lists what there is");
}

}  // namespace orthant::serve
