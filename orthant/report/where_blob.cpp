#include "orthant/report/where_blob.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "orthant/catalogue/text.h"
#include "orthant/core/error.h"
#include "orthant/heat/overlay.h"
#include "orthant/io/image_file.h"

namespace orthant::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr int64_t kMostMaps = 4096;
constexpr int64_t kMostOfSide = 12;
constexpr int64_t kMostCells = 16;  // a side of a map
constexpr int kSteps = 127;

// For each picture the features that it is an example of.
std::map<int64_t, std::vector<int64_t>> examples_of(const catalogue::Catalogue& run) {
  int64_t sides = 0;
  for (const catalogue::FeatureSummary& feature : run.summaries()) sides += (feature.negative ? 2 : 1) - feature.dead;
  const auto each = static_cast<size_t>(std::clamp<int64_t>(kMostMaps / std::max<int64_t>(sides, 1), 1, kMostOfSide));
  std::map<int64_t, std::vector<int64_t>> features;
  for (int64_t f = 0; f < run.features(); ++f) {
    const catalogue::FeatureProfile profile = run.feature(f);
    for (const auto* list : {&profile.top, &profile.negative_top}) {
      for (size_t k = 0; k < std::min(each, list->size()); ++k) {
        std::vector<int64_t>& own = features[(*list)[k].item];
        if (std::ssize(own) < heat::kMostQuestions) own.push_back(f);
      }
    }
  }
  return features;
}

Json map_json(const heat::HeatMaps& maps, int64_t m, int64_t item, const Image& picture) {
  const auto parts = maps.maps.row(m);
  const float largest = heat::largest_part(parts);
  std::vector<int8_t> steps;
  for (const float part : parts) steps.push_back(static_cast<int8_t>(std::lround(part / largest * kSteps)));
  const auto at = static_cast<size_t>(m);
  return {{"item", item},
          {"value", maps.values[at]},
          {"rest", maps.rests[at]},
          {"box", {maps.box.left, maps.box.top, maps.box.width, maps.box.height}},
          {"picture", {picture.width, picture.height}},
          {"largest", largest},
          {"parts", catalogue::base64(std::as_bytes(std::span<const int8_t>(steps)))}};
}

}  // namespace

Blob where_blob(const catalogue::Catalogue& run, int64_t r, const heat::Answer& answer,
                const std::function<void(const std::string& what, int64_t done, int64_t total)>& progress) {
  const catalogue::Items& items = run.items();
  const auto examples = examples_of(run);
  Json json = {{"method", nullptr}, {"grid", nullptr}, {"features", Json::object()}};
  int64_t done = 0;
  for (const auto& [item, features] : examples) {
    const Image picture = items.pictures->image(items.rows[static_cast<size_t>(item)]);
    const heat::HeatMaps maps =
        heat::coarser(answer({.features = features, .picture = io::encode_png(picture)}), kMostCells);
    check_io(maps.count() == std::ssize(features), "[where] expected ", features.size(), " maps, got ", maps.count());
    json["method"] = heat::method_name(maps.method);
    json["grid"] = {maps.rows, maps.cols};
    for (size_t m = 0; m < features.size(); ++m) {
      json["features"][std::to_string(features[m])].push_back(map_json(maps, static_cast<int64_t>(m), item, picture));
    }
    if (progress) progress("where features fire", ++done, std::ssize(examples));
  }
  return {fmt::format("r{}.where", r), packed(json.dump()), false};
}

}  // namespace orthant::report
