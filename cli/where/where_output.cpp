#include "cli/where/where_output.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "cli/frame/terminal_text.h"
#include "cli/where/sound_sheet.h"
#include "orthant/heat/overlay.h"
#include "orthant/heat/sound_place.h"
#include "orthant/io/npz.h"
#include "orthant/report/contact_sheet.h"

namespace orthant::cli {
namespace {

constexpr int64_t kCell = 96;

std::string value_text(float value) { return fmt::format("{:.3g}", value); }

Image drawn(const PictureWhere& one, int64_t m) {
  if (one.axes) return sound_cell(one.picture, *one.axes, one.maps, m);
  const auto map = one.maps.maps.row(m);
  return heat::overlay(one.picture, one.maps, map, heat::strong_part(map));
}

Image plain(const PictureWhere& one) {
  return one.axes ? sound_cell(one.picture, *one.axes, one.maps, -1) : one.picture;
}

std::string asked(const PictureWhere& one, int64_t m) {
  const auto at = static_cast<size_t>(m);
  return at < one.features.size() ? fmt::format("f{}", one.features[at]) : "match";
}

// Where a sound was looked at, if not all of it.
std::string part_of(const PictureWhere& one) {
  const heat::SoundPlace seen = heat::seen_place(one.maps, *one.axes);
  constexpr double kLittle = 0.02;  // seconds
  if (seen.begin < kLittle && seen.end > one.axes->end - kLittle) return "";
  return fmt::format("looked at {} of {:.2f} s", heat::seconds_text(seen.begin, seen.end), one.axes->end);
}

std::vector<SheetRow> rows_by_feature(const std::vector<PictureWhere>& all) {
  std::vector<SheetRow> rows;
  std::map<int64_t, size_t> row_of;
  for (const PictureWhere& one : all) {
    const int64_t feature = one.features.front();
    const auto [found, is_new] = row_of.emplace(feature, rows.size());
    if (is_new) rows.push_back({.label = fmt::format("feature {}", feature), .images = {}});
    SheetRow& row = rows[found->second];
    row.images.push_back(plain(one));
    row.images.push_back(drawn(one, 0));
  }
  return rows;
}

std::vector<SheetRow> rows_by_picture(const std::vector<PictureWhere>& all) {
  std::vector<SheetRow> rows;
  for (const PictureWhere& one : all) {
    SheetRow row{.label = one.name, .images = {plain(one)}};
    for (int64_t m = 0; m < one.maps.count(); ++m) {
      row.images.push_back(drawn(one, m));
      row.words += (m > 0 ? ", " : "") + asked(one, m) + " " + value_text(one.maps.values[static_cast<size_t>(m)]);
    }
    if (const std::string part = one.axes ? part_of(one) : ""; !part.empty()) row.words += "; " + part;
    rows.push_back(std::move(row));
  }
  return rows;
}

nlohmann::ordered_json pair_json(double a, double b) { return {a, b}; }

// What of the sound was looked at, and where the map is strongest.
void add_sound(nlohmann::ordered_json& entry, const PictureWhere& one, int64_t m) {
  const heat::SoundPlace seen = heat::seen_place(one.maps, *one.axes);
  entry["length"] = one.axes->end;
  entry["seen"] = {{"seconds", pair_json(seen.begin, seen.end)}, {"hz", pair_json(seen.low, seen.high)}};
  const auto place = heat::strongest_place(one.maps, m, *one.axes);
  entry["strongest"] = nullptr;
  if (!place) return;
  entry["strongest"] = {{"seconds", pair_json(place->begin, place->end)},
                        {"hz", pair_json(place->low, place->high)},
                        {"share", place->share},
                        {"words", heat::place_text(*place)}};
}

}  // namespace

Image where_sheet(const std::vector<PictureWhere>& all, bool by_feature) {
  const heat::HeatMaps& maps = all.front().maps;
  const bool additive = maps.method == heat::Method::kAdditive;
  const std::string title =
      fmt::format("{} of {} x {} cells: red adds, blue takes away",
                  additive ? "parts that add up, on a grid" : "what covering takes, on a grid", maps.rows, maps.cols);
  return contact_sheet(by_feature ? rows_by_feature(all) : rows_by_picture(all),
                       {.title = title, .cell = all.front().axes ? kSoundCell : kCell});
}

std::string where_text(const std::vector<PictureWhere>& all) {
  std::string text;
  for (const PictureWhere& one : all) {
    for (int64_t m = 0; m < one.maps.count(); ++m) {
      const auto place = heat::strongest_place(one.maps, m, *one.axes);
      const std::string where =
          place ? fmt::format("{} ({:.0f} % of what {})", heat::place_text(*place), 100 * place->share,
                              one.maps.values[static_cast<size_t>(m)] < 0 ? "takes" : "adds")
                : fmt::format("nowhere: nothing in it {}",
                              one.maps.values[static_cast<size_t>(m)] < 0 ? "takes" : "adds");
      const std::string part = part_of(one);
      text += fmt::format("{}  {} {}: {}{}{}\n", terminal_text(one.name), asked(one, m),
                          value_text(one.maps.values[static_cast<size_t>(m)]), where, part.empty() ? "" : "; ", part);
    }
  }
  return text;
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
      Json entry = {{one.axes ? "sound" : "picture", one.name},
                    {"feature", of_feature ? Json(one.features[at]) : Json()},
                    {"with", of_feature ? Json() : Json(one.with)},
                    {"value", one.maps.values[at]},
                    {"sum", std::accumulate(parts.begin(), parts.end(), 0.0)},
                    {"rest", one.maps.rests[at]},
                    {"box", {one.maps.box.left, one.maps.box.top, one.maps.box.width, one.maps.box.height}},
                    {"map", std::move(map)}};
      if (one.axes) add_sound(entry, one, m);
      list.push_back(std::move(entry));
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
  std::vector<float> seen;  // of sounds: seconds from and to, Hz from and to
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
      if (one.axes) {
        const heat::SoundPlace place = heat::seen_place(one.maps, *one.axes);
        for (const double x : {place.begin, place.end, place.low, place.high}) seen.push_back(static_cast<float>(x));
      }
      boxes.insert(boxes.end(), {one.maps.box.left, one.maps.box.top, one.maps.box.width, one.maps.box.height});
    }
  }
  const auto count = std::ssize(values);
  const std::string text = names.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  std::vector<uint8_t> bytes(text.begin(), text.end());
  const auto length = std::ssize(bytes);
  std::vector<std::pair<std::string, io::Array>> arrays;
  const auto add = [&](const char* name, io::Array array) { arrays.emplace_back(name, std::move(array)); };
  add("maps", io::array_from(std::move(maps), {count, first.rows, first.cols}));
  add("values", io::array_from(std::move(values), {count}));
  add("rests", io::array_from(std::move(rests), {count}));
  add("features", io::array_from(std::move(features), {count}));
  add("pictures", io::array_from(std::move(pictures), {count}));
  add("boxes", io::array_from(std::move(boxes), {count, 4}));
  if (!seen.empty()) add("seen", io::array_from(std::move(seen), {count, 4}));
  add("names_json", io::array_from(std::move(bytes), {length}));
  io::write_npz(path, arrays);
}

}  // namespace orthant::cli
