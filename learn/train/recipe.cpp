#include "learn/train/recipe.h"

#include <fmt/format.h>

#include <algorithm>

#include "orthant/core/error.h"
#include "orthant/data/statistics.h"

namespace orthant {
namespace {

constexpr int64_t kStatisticsItems = 2000;

bool said(const std::vector<SettingsLayer>& layers, const std::string& key) {
  return std::ranges::any_of(layers, [&](const SettingsLayer& layer) { return layer.settings.contains(key); });
}

void apply_layers(Recipe& recipe, const std::vector<SettingsLayer>& layers) {
  for (const SettingsLayer& layer : layers) {
    for_each_section(recipe, [&](const std::string& section, auto& options) {
      apply_settings(options, section, layer.settings, layer.source);
    });
  }
}

std::string toml_value(bool value) { return value ? "true" : "false"; }
std::string toml_value(int64_t value) { return std::to_string(value); }

std::string toml_value(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string toml_value(const std::string& value) {
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

// Settings that change when a run speaks and saves, but not what it learns.
bool changes_training(const std::string& key) {
  static const std::vector<std::string> kHarmless = {"train.threads",
                                                     "train.loader_threads",
                                                     "train.cache_mib",
                                                     "train.log_steps",
                                                     "train.checkpoint_steps",
                                                     "train.checkpoint_seconds",
                                                     "eval.every",
                                                     "eval.size",
                                                     "eval.bank",
                                                     "eval.k",
                                                     "eval.dead_limit"};
  return std::ranges::find(kHarmless, key) == kHarmless.end();
}

std::vector<std::pair<std::string, std::string>> flat(const Recipe& recipe) {
  std::vector<std::pair<std::string, std::string>> values;
  for_each_section(recipe, [&](const std::string& section, const auto& options) {
    for_each_field(options, [&](const Field& field, const auto& value) {
      values.emplace_back(section + "." + field.name, toml_value(value));
    });
  });
  return values;
}

void fit_views(Recipe& recipe, const std::vector<SettingsLayer>& layers, const Dataset& data) {
  const DatasetInfo& info = data.info();
  if (!said(layers, "views.channels") && info.channels > 0) recipe.views.channels = info.channels;
  const bool has_mean = said(layers, "views.mean_r") || said(layers, "views.std_r");
  if (has_mean) return;
  const auto statistics =
      dataset_statistics(data, {.max_items = kStatisticsItems, .threads = static_cast<int>(recipe.train.threads)});
  if (statistics.mean.empty()) return;
  std::array<double, 3> mean{};
  std::array<double, 3> deviation{};
  for (size_t c = 0; c < 3; ++c) {
    const size_t channel = statistics.mean.size() == 3 ? c : 0;
    mean[c] = statistics.mean[channel];
    deviation[c] = std::max(statistics.deviation[channel], 1e-3);
  }
  recipe.views.set_mean(mean);
  recipe.views.set_std(deviation);
}

}  // namespace

std::vector<std::string> recipe_keys() {
  const Recipe recipe;
  std::vector<std::string> keys;
  for_each_section(recipe, [&](const std::string& section, const auto& options) {
    const auto more = setting_keys(options, section);
    keys.insert(keys.end(), more.begin(), more.end());
  });
  return keys;
}

Recipe make_recipe(const std::vector<SettingsLayer>& layers) {
  const auto known = recipe_keys();
  for (const SettingsLayer& layer : layers) check_known(layer.settings, known, layer.source);
  Recipe recipe;
  apply_layers(recipe, layers);
  recipe.views = view_preset(recipe.train.views, recipe.views.size);
  if (!said(layers, "activation.name")) recipe.activation.name = recipe.train.method == "ncl" ? "rep_relu" : "none";
  apply_layers(recipe, layers);
  check(recipe.train.method == "ncl" || recipe.activation.name == "none",
        "[activation] expected none with method cl, got ", recipe.activation.name, "; sigma+ is what makes it ncl");
  recipe.views.validate();
  return recipe;
}

void fit_to_data(Recipe& recipe, const std::vector<SettingsLayer>& layers, const Dataset& data) {
  const DatasetInfo& info = data.info();
  const std::string where = "[" + recipe.data.source + "] ";
  check(data.size() >= recipe.train.batch, where, "expected at least one batch of ", recipe.train.batch, " items, got ",
        data.size(), "; lower --batch");
  if (info.dims > 0) {
    if (!said(layers, "backbone.name")) recipe.backbone.name = "mlp";
    check(recipe.backbone.name == "mlp", where, "expected pictures for ", recipe.backbone.name,
          ", got vectors; use --backbone mlp");
    recipe.backbone.dims = info.dims;
    return;
  }
  check(recipe.backbone.name != "mlp", where, "expected vectors for mlp, got pictures; use another --backbone");
  if (!said(layers, "views.size") && info.height > 0) recipe.views.size = info.height;
  fit_views(recipe, layers, data);
  recipe.backbone.channels = recipe.views.channels;
  recipe.backbone.image_size = recipe.views.size;
}

ModelOptions model_options(const Recipe& recipe) {
  const ViewOptions eval = view_preset("eval", recipe.views.size);
  ModelOptions model;
  model.backbone = recipe.backbone;
  model.projector = recipe.projector;
  model.activation = recipe.activation;
  model.preprocessing = {.size = recipe.views.size,
                         .channels = recipe.views.channels,
                         .crop = eval.crop,
                         .centre_fraction = eval.centre_fraction,
                         .mean = recipe.views.mean(),
                         .std = recipe.views.std()};
  model.temperature = recipe.loss.temperature;
  model.method = recipe.train.method;
  model.notes = {{"data", recipe.data.source}, {"loss", recipe.loss.name}};
  return model;
}

std::string recipe_text(const Recipe& recipe) {
  std::string text = "# Everything that decides how this run goes. 'orthant pretrain --recipe' repeats it.\n";
  for_each_section(recipe, [&](const std::string& section, const auto& options) {
    text += fmt::format("\n[{}]\n", section);
    for_each_field(options, [&](const Field& field, const auto& value) {
      text += fmt::format("{:<34} # {}\n", fmt::format("{} = {}", field.name, toml_value(value)), field.help);
    });
  });
  return text;
}

std::vector<std::string> differences(const Recipe& before, const Recipe& after) {
  const auto old_values = flat(before);
  const auto new_values = flat(after);
  std::vector<std::string> lines;
  for (size_t i = 0; i < old_values.size(); ++i) {
    const auto& [key, value] = old_values[i];
    if (value == new_values[i].second || !changes_training(key)) continue;
    lines.push_back(key + ": " + value + " -> " + new_values[i].second);
  }
  return lines;
}

}  // namespace orthant
