#include "orthant/measure/report.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "orthant/core/version.h"

namespace orthant::measure {
namespace {

using Json = nlohmann::ordered_json;

Json number(const Value& value) {
  if (!std::isfinite(value.value)) return nullptr;
  if (value.unit == Unit::whole) return static_cast<int64_t>(std::llround(value.value));
  return value.value;
}

// Nests by the dots of the key.
void put(Json& document, const Value& value) {
  Json* at = &document;
  std::istringstream parts(value.key);
  for (std::string part; std::getline(parts, part, '.');) at = &(*at)[part];
  *at = number(value);
}

Json document(const MeasureReport& report) {
  Json json = Json::object();
  for (const Measure& measure : report.measures) {
    for (const Value& value : measure.values) put(json, value);
  }
  json["definition"] = report.definition;
  json["measures"] = Json::array();
  for (const Measure& measure : report.measures) {
    Json parameters = Json::object();
    for (const auto& [name, setting] : measure.parameters) {
      std::visit([&, &key = name](const auto& value) { parameters[key] = value; }, setting);
    }
    json["measures"].push_back(
        {{"id", measure.id + "/" + std::to_string(measure.version)}, {"parameters", std::move(parameters)}});
  }
  for (const FeatureValues& one : report.per_feature) {
    Json values = Json::array();
    for (const double value : one.values) values.push_back(std::isfinite(value) ? Json(value) : Json(nullptr));
    json["per_feature"][one.key] = std::move(values);
  }
  json["skipped"] = Json::object();
  for (const Skipped& skipped : report.skipped) json["skipped"][skipped.id] = skipped.reason;
  json["warnings"] = report.warnings;
  json["input"] = {{"source", report.source}, {"rows", report.rows},         {"cols", report.cols},
                   {"sparse", report.sparse}, {"labelled", report.labelled}, {"classes", report.classes}};
  json["orthant"] = version();
  return json;
}

std::string text(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace); }

}  // namespace

std::optional<double> MeasureReport::find(const std::string& key) const {
  for (const Measure& measure : measures) {
    const auto found = std::ranges::find(measure.values, key, &Value::key);
    if (found != measure.values.end()) return found->value;
  }
  return std::nullopt;
}

std::string to_json(const MeasureReport& report) { return text(document(report)); }

std::string to_json(std::span<const MeasureReport> reports) {
  if (reports.size() == 1) return to_json(reports.front());
  Json results = Json::array();
  for (const MeasureReport& report : reports) results.push_back(document(report));
  return text({{"results", std::move(results)}, {"orthant", version()}});
}

}  // namespace orthant::measure
