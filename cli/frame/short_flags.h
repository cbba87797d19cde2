#pragma once

#include <map>
#include <span>
#include <string>

#include "cli/frame/app.h"
#include "cli/frame/field_flags.h"

namespace orthant::cli {

// A flag that stands for a setting of a recipe.
struct ShortFlag {
  const char* flag;
  const char* key;
  const char* help = nullptr;  // instead of what the field says of itself
};

// What the fields of a recipe say of themselves, by key, with their choices and defaults.
template <class AnyRecipe>
std::map<std::string, std::string> setting_helps(const AnyRecipe& recipe) {
  std::map<std::string, std::string> texts;
  for_each_section(recipe, [&](const std::string& section, const auto& options) {
    for_each_field(options, [&](const Field& field, const auto& value) {
      std::string choices;
      for (const std::string& choice : field.limits.choices) choices += (choices.empty() ? ": " : ", ") + choice;
      const std::string preset = to_string(Setting(value));
      texts[section + "." + field.name] = field.help + choices + (preset.empty() ? "" : " (" + preset + ")");
    });
  });
  return texts;
}

// Adds the flags, whose values go to `sources`, which must live as long as the command.
template <class AnyRecipe>
void add_short_flags(App* command, const AnyRecipe& recipe, std::span<const ShortFlag> flags, SettingSources& sources) {
  const auto texts = setting_helps(recipe);
  for (const ShortFlag& entry : flags) {
    const std::string key = entry.key;
    const std::string flag = entry.flag;
    const auto store = [&sources, flag, key](const std::string& text) { sources.set_flag(flag, key, text); };
    const std::string help = entry.help != nullptr ? entry.help : texts.at(key);
    command->add_option_function(flag, store, help)->type_name("VALUE");
  }
}

}  // namespace orthant::cli
