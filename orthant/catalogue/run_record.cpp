#include "orthant/catalogue/run_record.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "orthant/catalogue/text.h"
#include "orthant/core/error.h"
#include "orthant/io/settings_file.h"

namespace orthant::catalogue {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

// The part of a line of TOML behind '#', which is no comment inside a text.
std::string comment_of(const std::string& line) {
  char quote = 0;
  for (size_t at = 0; at < line.size(); ++at) {
    if (quote == '"' && line[at] == '\\') {
      ++at;
    } else if (quote != 0) {
      if (line[at] == quote) quote = 0;
    } else if (line[at] == '"' || line[at] == '\'') {
      quote = line[at];
    } else if (line[at] == '#') {
      return trimmed(line.substr(at + 1));
    }
  }
  return "";
}

// Values come from the reader of recipes; order and meanings from the lines, where run.toml has a meaning beside each.
std::vector<std::array<std::string, 4>> read_recipe(const std::string& path) {
  Settings settings = io::read_settings(path);
  std::vector<std::array<std::string, 4>> recipe;
  std::ifstream in(path, std::ios::binary);
  std::string section;
  for (std::string line; std::getline(in, line);) {
    const std::string text = trimmed(line);
    if (text.starts_with('[')) section = text.substr(1, text.find(']') - 1);
    const std::string key = trimmed(text.substr(0, text.find('=')));
    const auto found = settings.find(section.empty() ? key : section + "." + key);
    if (text.find('=') == std::string::npos || found == settings.end()) continue;
    recipe.push_back(
        {mended_utf8(section), mended_utf8(key), mended_utf8(to_string(found->second)), mended_utf8(comment_of(text))});
    settings.erase(found);
  }
  for (const auto& [key, value] : settings) {
    const size_t dot = std::min(key.find('.'), key.size());
    const std::string name = dot < key.size() ? key.substr(dot + 1) : key;
    recipe.push_back({mended_utf8(key.substr(0, dot)), mended_utf8(name), mended_utf8(to_string(value)), ""});
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
  check_io(json.is_object(), "[", path, "] expected the JSON document of 'orthant select --sweep', got something else");
  return json;
}

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

RunRecord read_run_record(const std::string& path) {
  const fs::path folder = fs::path(path).lexically_normal();
  const std::string recipe = path + "/run.toml";
  check_io(fs::exists(recipe), "[", path, "] expected a run with run.toml, got another folder");
  RunRecord record;
  record.name = mended_utf8((folder.has_filename() ? folder : folder.parent_path()).filename().string());
  if (record.name.empty() || record.name == ".")
    record.name = mended_utf8(fs::absolute(folder).parent_path().filename().string());
  record.path = path;
  record.recipe = read_recipe(recipe);
  for (const auto& [section, key, value, help] : record.recipe) {
    if (section == "train" && key == "method") record.method = value;
  }
  record.curves = text_of(read_curves(path + "/metrics.jsonl"));
  record.selection = text_of(read_selection(path + "/selection.json"));
  record.names_path = path + "/names.json";
  return record;
}

}  // namespace orthant::catalogue
