#include "cli/where/where_output.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "orthant/core/error.h"
#include "orthant/heat/overlay.h"
#include "orthant/io/npz.h"
#include "orthant/report/contact_sheet.h"

namespace orthant::cli {
namespace {

constexpr int64_t kCell = 96;

std::string value_text(float value) { return fmt::format("{:.3g}", value); }

Image drawn(const PictureWhere& one, int64_t m) {
  const auto map = one.maps.maps.row(m);
  return heat::overlay(one.picture, one.maps, map, heat::strong_part(map));
}

std::vector<SheetRow> rows_by_feature(const std::vector<PictureWhere>& all) {
  std::vector<SheetRow> rows;
  std::map<int64_t, size_t> row_of;
  for (const PictureWhere& one : all) {
    const int64_t feature = one.features.front();
    const auto [found, is_new] = row_of.emplace(feature, rows.size());
    if (is_new) rows.push_back({.label = fmt::format("feature {}", feature), .images = {}});
    SheetRow& row = rows[found->second];
    row.images.push_back(one.picture);
    row.images.push_back(drawn(one, 0));
  }
  return rows;
}

std::vector<SheetRow> rows_by_picture(const std::vector<PictureWhere>& all) {
  std::vector<SheetRow> rows;
  for (const PictureWhere& one : all) {
    SheetRow row{.label = one.name, .images = {one.picture}};
    for (int64_t m = 0; m < one.maps.count(); ++m) {
      row.images.push_back(drawn(one, m));
      const auto at = static_cast<size_t>(m);
      row.words += (m > 0 ? ", " : "") + (at < one.features.size() ? fmt::format("f{}", one.features[at]) : "match") +
                   " " + value_text(one.maps.values[at]);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

Image where_sheet(const std::vector<PictureWhere>& all, bool by_feature) {
  const heat::HeatMaps& maps = all.front().maps;
  const bool additive = maps.method == heat::Method::kAdditive;
  const std::string title =
      fmt::format("{} of {} x {} cells: red adds, blue takes away",
                  additive ? "parts that add up, on a grid" : "what covering takes, on a grid", maps.rows, maps.cols);
  return contact_sheet(by_feature ? rows_by_feature(all) : rows_by_picture(all), {.title = title, .cell = kCell});
}

std::string where_json(const std::string& run, const std::vector<PictureWhere>& all) {
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  for (const PictureWhere& one : all) {
    for (int64_t m = 0; m < one.maps.count(); ++m) {
      const auto at = static_cast<size_t>(m);
      const auto parts = one.maps.maps.row(m);
      Json map = Json::array();
      for (int64_t r = 0; r < one.maps.rows; ++r) {
        const auto row = parts.subspan(static_cast<size_t>(r * one.maps.cols), static_cast<size_t>(one.maps.cols));
        map.push_back(std::vector<float>(row.begin(), row.end()));
      }
      const bool of_feature = at < one.features.size();
      list.push_back({{"picture", one.name},
                      {"feature", of_feature ? Json(one.features[at]) : Json()},
                      {"with", of_feature ? Json() : Json(one.with)},
                      {"value", one.maps.values[at]},
                      {"sum", std::accumulate(parts.begin(), parts.end(), 0.0)},
                      {"rest", one.maps.rests[at]},
                      {"box", {one.maps.box.left, one.maps.box.top, one.maps.box.width, one.maps.box.height}},
                      {"map", std::move(map)}});
    }
  }
  const heat::HeatMaps& first = all.front().maps;
  const Json json = {{"run", run},
                     {"method", heat::method_name(first.method)},
                     {"grid", {first.rows, first.cols}},
                     {"maps", std::move(list)}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void write_where_npz(const std::string& path, const std::vector<PictureWhere>& all) {
  const heat::HeatMaps& first = all.front().maps;
  std::vector<float> maps;
  std::vector<float> values;
  std::vector<float> rests;
  std::vector<float> boxes;
  std::vector<int64_t> features;
  std::vector<int64_t> pictures;
  nlohmann::ordered_json names = nlohmann::ordered_json::array();
  for (size_t i = 0; i < all.size(); ++i) {
    const PictureWhere& one = all[i];
    names.push_back(one.name);
    const auto parts = one.maps.maps.values();
    maps.insert(maps.end(), parts.begin(), parts.end());
    values.insert(values.end(), one.maps.values.begin(), one.maps.values.end());
    rests.insert(rests.end(), one.maps.rests.begin(), one.maps.rests.end());
    for (int64_t m = 0; m < one.maps.count(); ++m) {
      const auto at = static_cast<size_t>(m);
      features.push_back(at < one.features.size() ? one.features[at] : -1);
      pictures.push_back(static_cast<int64_t>(i));
      boxes.insert(boxes.end(), {one.maps.box.left, one.maps.box.top, one.maps.box.width, one.maps.box.height});
    }
  }
  const auto count = std::ssize(values);
  const std::string text = names.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  std::vector<uint8_t> bytes(text.begin(), text.end());
  const auto length = std::ssize(bytes);
  io::write_npz(path, {{"maps", io::array_from(std::move(maps), {count, first.rows, first.cols})},
                       {"values", io::array_from(std::move(values), {count})},
                       {"rests", io::array_from(std::move(rests), {count})},
                       {"features", io::array_from(std::move(features), {count})},
                       {"pictures", io::array_from(std::move(pictures), {count})},
                       {"boxes", io::array_from(std::move(boxes), {count, 4})},
                       {"names_json", io::array_from(std::move(bytes), {length})}});
}

}  // namespace orthant::cli
