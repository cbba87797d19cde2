#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "orthant/core/fields.h"

namespace orthant {

// A value as a person writes it, before it is known which field it is for.
using Setting = std::variant<bool, int64_t, double, std::string>;

// Values by dotted key: "views.blur_probability". They come from a recipe file, from --set and from flags, and are
// applied in that order, so that the later ones win.
using Settings = std::map<std::string, Setting>;

// Reads "true", "12", "0.5" or "text" (quoted or not) as the narrowest kind of value that fits.
Setting parse_setting(const std::string& text);

// Reads "a.b=c" as given to --set. std::invalid_argument if there is no key or no '='.
std::pair<std::string, Setting> parse_assignment(const std::string& text);

std::string to_string(const Setting& setting);

// Puts `setting` into a field after checking its kind and limits. A whole number also fits a double.
// std::invalid_argument names `source` (a file, "--set", a flag), the key, what was expected and what was found.
void assign_setting(const Field& field, bool& value, const Setting& setting, const std::string& source);
void assign_setting(const Field& field, int64_t& value, const Setting& setting, const std::string& source);
void assign_setting(const Field& field, double& value, const Setting& setting, const std::string& source);
void assign_setting(const Field& field, std::string& value, const Setting& setting, const std::string& source);

// Applies the settings of one section to an options struct: the key of a field is "section.name".
template <class Options>
void apply_settings(Options& options, const std::string& section, const Settings& settings, const std::string& source) {
  for_each_field(options, [&](const Field& field, auto& value) {
    const auto found = settings.find(section + "." + field.name);
    if (found != settings.end()) assign_setting(field, value, found->second, source);
  });
}

// The keys that apply_settings understands for a section.
template <class Options>
std::vector<std::string> setting_keys(const Options& options, const std::string& section) {
  std::vector<std::string> keys;
  for_each_field(options, [&](const Field& field, const auto&) { keys.push_back(section + "." + field.name); });
  return keys;
}

// std::invalid_argument for the first setting whose key is not among `known`; names the nearest key that is.
void check_known(const Settings& settings, const std::vector<std::string>& known, const std::string& source);

}  // namespace orthant
