#include "orthant/catalogue/run_record.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "orthant/adapt/recipe.h"
#include "orthant/catalogue/text.h"
#include "orthant/core/error.h"
#include "orthant/io/safetensors.h"
#include "orthant/io/settings_file.h"
#include "orthant/run/model_metadata.h"
#include "orthant/run/recipe.h"
#include "orthant/run/run_paths.h"
#include "orthant/run/supervised_recipe.h"

namespace orthant::catalogue {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::vector<std::array<std::string, 4>> read_recipe(const std::string& path) {
  const Settings settings = io::read_settings(path);
  const auto listed = adapt::is_adapted(settings) ? list_settings(adapt::AdaptRecipe{}, settings)
                      : is_supervised(settings)   ? list_settings(SupervisedRecipe{}, settings)
                                                  : list_settings(Recipe{}, settings);
  std::vector<std::array<std::string, 4>> recipe;
  for (const auto& [section, name, value, help] : listed) {
    recipe.push_back({mended_utf8(section), mended_utf8(name), mended_utf8(value), help});
  }
  return recipe;
}

Json read_curves(const std::string& path) {
  Json curves = Json::array();
  std::ifstream in(path, std::ios::binary);
  for (std::string line; std::getline(in, line);) {
    const Json json = Json::parse(line, nullptr, false);
    if (!json.is_object() || !json.contains("kind") || json["kind"] != "epoch") continue;
    Json epoch = Json::object();
    for (const auto& [key, value] : json.items()) {
      if (value.is_number()) epoch[key] = value;
    }
    if (epoch.contains("held_out_loss")) epoch["eval_loss"] = epoch["held_out_loss"];
    curves.push_back(std::move(epoch));
  }
  return curves;
}

Json read_selection(const std::string& path) {
  if (!fs::exists(path)) return nullptr;
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  Json json;
  if (json_depth(text) <= kDeepestJson) json = Json::parse(text, nullptr, false);
  check_io(json.is_object(), "[", path, "] expected the JSON document of a sweep over features, got something else");
  return json;
}

// What the codes of an adapted run keep of its vectors; null while it learns.
Json read_kept(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (json_depth(text) > kDeepestJson) return nullptr;
  Json json = Json::parse(text, nullptr, false);
  const bool fits = json.is_object() && json.value("kind", Json()) == "adapter" && json.contains("retained") &&
                    json["retained"].is_array() && std::ranges::all_of(json["retained"], [](const Json& row) {
                      return row.is_object() && row.value("code", Json()).is_string();
                    });
  return fits ? json : nullptr;
}

// What a model file says of itself; nothing if it cannot be read: embeddings can be looked at without it.
std::map<std::string, std::string> metadata_of(const std::string& path) {
  try {
    return fs::exists(path) ? io::SafeTensors::open(path).metadata() : std::map<std::string, std::string>();
  } catch (const IoError&) {
    return {};
  }
}

// A classifier of other features than those that are shown says nothing about them.
std::optional<classify::Classifier> read_classifier(const std::string& path) {
  const auto metadata = metadata_of(path);
  const auto layer = metadata.find("notes.layer");
  if (layer == metadata.end() || layer->second != EmbeddingsKey().layer) return {};
  return classify::has_classifier(path) ? std::optional(classify::read_classifier(path)) : std::nullopt;
}

std::vector<std::string> queries_of(const RunPaths& files) {
  std::vector<std::string> queries;
  for (const std::string& path : {files.model_file(), files.second_model_file()}) {
    const auto metadata = metadata_of(path);
    const auto backbone = metadata.find("backbone.name");
    if (backbone == metadata.end() || backbone->second == "mlp") continue;
    const std::string query = backbone->second.starts_with("text-") ? "text"
                              : metadata.contains("sound.seconds")  ? "sound"
                                                                    : "picture";
    if (std::ranges::find(queries, query) == queries.end()) queries.push_back(query);
  }
  return queries;
}

// Of two towers the first that reads no texts tells, as it does where features fire.
std::optional<Preprocessing> read_sound(const RunPaths& files) {
  for (const std::string& path : {files.model_file(), files.second_model_file()}) {
    const auto metadata = metadata_of(path);
    const auto backbone = metadata.find("backbone.name");
    if (backbone == metadata.end() || backbone->second.starts_with("text-")) continue;
    if (!metadata.contains("sound.seconds")) return {};
    try {
      return parse_model_metadata(metadata, path).preprocessing;
    } catch (const IoError&) {
      return {};
    }
  }
  return {};
}

std::shared_ptr<const words::BagReader> read_bag(const std::string& path) {
  const auto metadata = metadata_of(path);
  const auto backbone = metadata.find("backbone.name");
  return backbone != metadata.end() && backbone->second == "text-bag" ? words::BagReader::open(path) : nullptr;
}

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

RunRecord read_run_record(const std::string& path) {
  const fs::path folder = fs::path(path).lexically_normal();
  const RunPaths files(path);
  check_io(is_run(path), "[", path, "] expected a run with run.toml, got another folder");
  RunRecord record;
  record.name = mended_utf8((folder.has_filename() ? folder : folder.parent_path()).filename().string());
  if (record.name.empty() || record.name == ".")
    record.name = mended_utf8(fs::absolute(folder).parent_path().filename().string());
  record.path = path;
  record.recipe = read_recipe(files.recipe_file());
  for (const auto& [section, key, value, help] : record.recipe) {
    if (section == "train" && key == "method") record.method = value;
  }
  record.curves = text_of(read_curves(files.metrics_file()));
  record.selection = text_of(read_selection(files.selection_file()));
  record.adapter = text_of(read_kept(files.result_file()));
  record.classifier = read_classifier(files.model_file());
  record.queries = queries_of(files);
  record.sound = read_sound(files);
  record.bag = read_bag(files.model_file());
  record.names_path = files.names_file();
  return record;
}

}  // namespace orthant::catalogue
