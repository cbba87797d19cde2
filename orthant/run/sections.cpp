#include "orthant/run/sections.h"

#include <fmt/format.h>

#include <algorithm>

namespace orthant {
namespace {

std::string text_of(bool value) { return value ? "true" : "false"; }
std::string text_of(int64_t value) { return std::to_string(value); }

std::string text_of(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string text_of(const std::string& value) {
  std::string text = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') {
      text += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      text += fmt::format("\\u{:04x}", static_cast<int>(c));
    } else {
      text += c;
    }
  }
  return text + "\"";
}

}  // namespace

bool said(const std::vector<SettingsLayer>& layers, const std::string& key) {
  return std::ranges::any_of(layers, [&](const SettingsLayer& layer) { return layer.settings.contains(key); });
}

std::string toml_value(const Setting& setting) {
  return std::visit([](const auto& value) { return text_of(value); }, setting);
}

std::vector<std::string> changed_settings(const FlatSettings& before, const FlatSettings& after,
                                          const std::vector<std::string>& harmless) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < before.size(); ++i) {
    const auto& [key, value] = before[i];
    if (value == after[i].second || std::ranges::find(harmless, key) != harmless.end()) continue;
    lines.push_back(key + ": " + toml_value(value) + " -> " + toml_value(after[i].second));
  }
  return lines;
}

std::vector<ListedSetting> unknown_settings(const Settings& settings) {
  std::vector<ListedSetting> listed;
  for (const auto& [key, value] : settings) {
    const size_t dot = key.find('.');
    const bool sectioned = dot != std::string::npos;
    listed.push_back(
        {sectioned ? key.substr(0, dot) : "", sectioned ? key.substr(dot + 1) : key, to_string(value), ""});
  }
  return listed;
}

std::string setting_line(const Field& field, const Setting& value) {
  return fmt::format("{:<34} # {}\n", fmt::format("{} = {}", field.name, toml_value(value)), field.help);
}

}  // namespace orthant
