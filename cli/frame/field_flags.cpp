#include "cli/frame/field_flags.h"

#include "orthant/io/settings_file.h"

namespace orthant::cli {

void SettingSources::set_flag(const std::string& flag, const std::string& key, const std::string& text) {
  flags_[flag][key] = parse_setting(text);
}

bool SettingSources::says(const std::string& key) const {
  return std::ranges::any_of(collect(), [&](const auto& layer) { return layer.first.contains(key); });
}

std::vector<std::pair<Settings, std::string>> SettingSources::collect() const {
  Settings assigned;
  for (const std::string& text : assignments) {
    const auto [key, setting] = parse_assignment(text);
    assigned[key] = setting;
  }
  std::vector<std::pair<Settings, std::string>> layers;
  if (!recipe.empty()) layers.emplace_back(io::read_settings(recipe), recipe);
  layers.emplace_back(assigned, "--set");
  for (const auto& [flag, settings] : flags_) layers.emplace_back(settings, flag);
  layers.emplace_back(Settings(), "the command line");
  return layers;
}

void add_setting_flags(App* command, SettingSources& sources) {
  command->add_option("--recipe", sources.recipe, "TOML file with settings")->type_name("FILE");
  command->add_option("--set", sources.assignments, "One setting of the recipe, such as views.hue=0.1; repeatable")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

}  // namespace orthant::cli
