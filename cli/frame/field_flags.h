#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>
#include "cli/frame/app.h"

#include "orthant/core/settings.h"

namespace orthant::cli {

// Where settings of a person come from. Flags win over --set, --set over the recipe, the recipe over the defaults.
struct SettingSources {
  std::string recipe;                    // --recipe FILE
  std::vector<std::string> assignments;  // --set section.name=value

  // Notes what the flag says of the setting `key`; "--name", in messages, is where that comes from.
  void set_flag(const std::string& flag, const std::string& key, const std::string& text);

  // Whether the recipe, --set or a flag has a value for `key`.
  bool says(const std::string& key) const;

  // Calls apply(settings, source) for the recipe, --set, every flag and at last for no settings of the command line,
  // each checked against the known keys.
  template <class Apply>
  void apply(const std::vector<std::string>& known, Apply&& apply) const {
    for (const auto& [settings, source] : collect()) {
      check_known(settings, known, source);
      apply(settings, source);
    }
  }

 private:
  std::vector<std::pair<Settings, std::string>> collect() const;

  std::map<std::string, Settings> flags_;  // by name
};

// Adds --recipe and --set.
void add_setting_flags(App* command, SettingSources& sources);

// Adds one flag per field of `defaults`, all in one group of the help: "--" + prefix + the name with dashes.
// `sources` must live as long as the command.
template <class Options>
void add_field_flags(App* command, const Options& defaults, const std::string& section, const std::string& prefix,
                     const std::string& group, SettingSources& sources) {
  for_each_field(defaults, [&](const Field& field, const auto& value) {
    std::string flag = "--" + prefix + field.name;
    std::ranges::replace(flag, '_', '-');
    const std::string key = section + "." + field.name;
    const auto store = [&sources, flag, key](const std::string& text) { sources.set_flag(flag, key, text); };
    const std::string help = field.help + " (" + to_string(Setting(value)) + ")";
    command->add_option_function(flag, store, help)->group(group)->type_name("VALUE");
  });
}

}  // namespace orthant::cli
