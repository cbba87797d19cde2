#include "orthant/report/where_document.h"

#include <nlohmann/json.hpp>

#include "orthant/catalogue/text.h"
#include "orthant/core/error.h"
#include "orthant/report/where_json-inl.h"

namespace orthant::report {
namespace {

using Json = nlohmann::ordered_json;

Json map_json(const heat::HeatMaps& maps, size_t m, const char* what, int64_t number, const WhereItem* item) {
  const auto row = static_cast<int64_t>(m);
  Json json = {{what, number},
               {"value", maps.values[m]},
               {"rest", maps.rests[m]},
               {"parts", catalogue::base64(std::as_bytes(maps.maps.row(row)))}};
  if (item && item->shown) json["place"] = place_json(maps, row, *item->shown);
  return json;
}

}  // namespace

std::string where_document(const heat::HeatMaps& maps, std::span<const int64_t> features, std::optional<int64_t> with,
                           const WhereItem* item) {
  const size_t count = features.size() + (with ? 1 : 0);
  check(std::ssize(maps.values) == static_cast<int64_t>(count), "[where] expected ", count, " maps, got ",
        maps.values.size());
  Json list = Json::array();
  for (size_t m = 0; m < features.size(); ++m) list.push_back(map_json(maps, m, "feature", features[m], item));
  Json json = {{"method", heat::method_name(maps.method)},
               {"grid", {maps.rows, maps.cols}},
               {"box", {maps.box.left, maps.box.top, maps.box.width, maps.box.height}},
               {"picture", item ? Json({item->picture.width, item->picture.height}) : Json(nullptr)},
               {"maps", std::move(list)},
               {"match", with ? map_json(maps, count - 1, "with", *with, item) : Json(nullptr)}};
  if (item && item->shown) json["sound"] = sound_json(maps, *item->shown);
  return json.dump();
}

}  // namespace orthant::report
