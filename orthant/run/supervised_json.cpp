#include <cmath>
#include <nlohmann/json.hpp>

#include "orthant/core/version.h"
#include "orthant/run/supervised_result.h"

namespace orthant {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kIdentifier = "linear-probe";
constexpr int kVersion = 1;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

void add_spread(Json& json, const std::string& name, const Spread& spread) {
  json[name] = number(spread.mean);
  json[name + "_std"] = number(spread.deviation);
}

Json per_class(const SupervisedResult& result) {
  Json json = Json::object();
  for (size_t c = 0; c < result.class_names.size(); ++c) {
    json[result.class_names[c]] =
        number(over_seeds(result, [&](const SeedOutcome& outcome) { return outcome.test.per_class[c]; }).mean);
  }
  return json;
}

Json per_seed(const SupervisedResult& result) {
  Json seeds = Json::array();
  for (const SeedOutcome& outcome : result.seeds) {
    Json json = {{"seed", outcome.seed}, {"top1", outcome.test.top1}, {"top5", outcome.test.top5}};
    for (const auto& [key, text] : outcome.facts) {
      std::visit([&json, &key](const auto& value) { json["how"][key] = value; }, parse_setting(text));
    }
    seeds.push_back(std::move(json));
  }
  return seeds;
}

Json out_of_distribution(const SupervisedResult& result) {
  Json json = Json::object();
  for (const OodRow& row : ood_table(result)) {
    Json entry = Json::object();
    add_spread(entry, "top1", row.top1);
    if (!row.group.empty()) entry["group"] = row.group;
    for (size_t level = 0; level < row.levels.size(); ++level) {
      if (!std::isnan(row.levels[level])) entry["severity"][std::to_string(level + 1)] = row.levels[level];
    }
    json[row.name] = std::move(entry);
  }
  return json;
}

Json other_data(const SupervisedResult& result) {
  Json json = Json::object();
  for (const TestDataRow& row : test_data_table(result)) {
    Json entry = {{"split", row.data.split}, {"items", row.data.items}, {"classes", row.data.classes}};
    add_spread(entry, "top1", row.top1);
    add_spread(entry, "top5", row.top5);
    add_spread(entry, "drop", row.drop);
    json[row.data.name] = std::move(entry);
  }
  return json;
}

Json parameters(const SupervisedRecipe& recipe) {
  Json json = Json::object();
  for_each_section(recipe, [&](const std::string& section, const auto& options) {
    for_each_field(options, [&](const Field& field, const auto& value) { json[section][field.name] = value; });
  });
  return json;
}

}  // namespace

std::string result_json(const SupervisedResult& result) {
  const SupervisedOptions& train = result.recipe.train;
  Json json = {{"id", train.task == "probe" ? kIdentifier : train.task},
               {"version", kVersion},
               {"orthant", version()},
               {"model", train.model},
               {"data", result.recipe.data.source},
               {"layer", train.layer},
               {"solver", train.solver},
               {"test_items", result.seeds.front().test.items},
               {"classes", result.class_names.size()}};
  add_spread(json, "top1", over_seeds(result, [](const SeedOutcome& outcome) { return outcome.test.top1; }));
  add_spread(json, "top5", over_seeds(result, [](const SeedOutcome& outcome) { return outcome.test.top5; }));
  json["per_class"] = per_class(result);
  json["seeds"] = per_seed(result);
  if (!result.conditions.empty()) json["ood"] = out_of_distribution(result);
  if (!result.test_data.empty()) json["test_data"] = other_data(result);
  json["parameters"] = parameters(result.recipe);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace orthant
