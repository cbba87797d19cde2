#pragma once

#include <string>
#include <utility>
#include <vector>

#include "orthant/core/settings.h"

namespace orthant {

// What recipes of every kind share. A recipe is a struct of options with for_each_section(recipe, visit), which calls
// visit(name, options) for every section; the name is that of the TOML table. A key is "section.name".

// Settings and where they come from: a file's name, "--set", "the command line".
struct SettingsLayer {
  std::string source;
  Settings settings;
};

// True if any layer has a value for `key`.
bool said(const std::vector<SettingsLayer>& layers, const std::string& key);

// A value as TOML writes it, so that reading gives the same bits.
std::string toml_value(const Setting& value);

// "key: 256 -> 128" for every key whose value differs, but those listed as harmless. Both must have the same keys.
using FlatSettings = std::vector<std::pair<std::string, Setting>>;
std::vector<std::string> changed_settings(const FlatSettings& before, const FlatSettings& after,
                                          const std::vector<std::string>& harmless);

// Every key with its value, in the order of the sections.
template <class AnyRecipe>
FlatSettings flat_settings(const AnyRecipe& recipe) {
  FlatSettings values;
  for_each_section(recipe, [&](const std::string& section, const auto& options) {
    for_each_field(options, [&](const Field& field, const auto& value) {
      values.emplace_back(section + "." + field.name, Setting(value));
    });
  });
  return values;
}

template <class AnyRecipe>
std::vector<std::string> section_keys(const AnyRecipe& recipe) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : flat_settings(recipe)) keys.push_back(key);
  return keys;
}

// Puts the layers' values into the recipe, later ones winning. std::invalid_argument for a value that does not fit.
template <class AnyRecipe>
void apply_layers(AnyRecipe& recipe, const std::vector<SettingsLayer>& layers) {
  for (const SettingsLayer& layer : layers) {
    for_each_section(recipe, [&](const std::string& section, auto& options) {
      apply_settings(options, section, layer.settings, layer.source);
    });
  }
}

// A setting as a person reads it.
struct ListedSetting {
  std::string section;
  std::string name;
  std::string value;
  std::string help;  // what the field of the recipe says of itself; empty if the recipe does not have it
};

// Settings without a meaning, by name.
std::vector<ListedSetting> unknown_settings(const Settings& settings);

// The settings of a recipe file, in the order of the recipe; those that it does not have come last, by name.
template <class AnyRecipe>
std::vector<ListedSetting> list_settings(const AnyRecipe& recipe, Settings settings) {
  std::vector<ListedSetting> listed;
  for_each_section(recipe, [&](const std::string& section, const auto& options) {
    for_each_field(options, [&](const Field& field, const auto&) {
      const auto found = settings.find(section + "." + field.name);
      if (found == settings.end()) return;
      listed.push_back({section, field.name, to_string(found->second), field.help});
      settings.erase(found);
    });
  });
  for (ListedSetting& unknown : unknown_settings(settings)) listed.push_back(std::move(unknown));
  return listed;
}

// std::invalid_argument for a key in any layer that the recipe does not have.
template <class AnyRecipe>
void check_keys(const AnyRecipe& recipe, const std::vector<SettingsLayer>& layers) {
  const auto known = section_keys(recipe);
  for (const SettingsLayer& layer : layers) check_known(layer.settings, known, layer.source);
}

// One line of a recipe file: the setting, and its meaning beside it.
std::string setting_line(const Field& field, const Setting& value);

// A recipe file: `heading` as a comment, then every setting. read_settings() gives the same recipe back, bit for bit.
template <class AnyRecipe>
std::string sections_text(const AnyRecipe& recipe, const std::string& heading) {
  std::string text = "# " + heading + "\n";
  for_each_section(recipe, [&](const std::string& section, const auto& options) {
    text += "\n[" + section + "]\n";
    for_each_field(options,
                   [&](const Field& field, const auto& value) { text += setting_line(field, Setting(value)); });
  });
  return text;
}

}  // namespace orthant
