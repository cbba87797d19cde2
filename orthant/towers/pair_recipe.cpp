#include "orthant/towers/pair_recipe.h"

#include <algorithm>
#include <array>

#include "orthant/core/error.h"

namespace orthant {
namespace {

constexpr double kLeastCrop = 0.6;  // of the area of a picture

// What each tower has of its own; with a suffix, its sections in a recipe of two.
constexpr std::array kTowerSections = {"backbone", "projector", "views", "text"};

// Settings that change when a run speaks and saves, but not what it learns.
const std::vector<std::string>& harmless() {
  static const std::vector<std::string> keys = {
      "train.threads",          "train.loader_threads",     "train.cache_mib", "train.log_steps",
      "train.checkpoint_steps", "train.checkpoint_seconds", "eval.every",      "eval.size",
      "eval.dead_limit"};
  return keys;
}

// The key with the tower behind its section, or as it is where both have it in common.
std::string with_tower(const std::string& key, Tower tower) {
  for (const std::string section : kTowerSections) {
    if (key.starts_with(section + ".")) return join(section, "_", to_string(tower), key.substr(section.size()));
  }
  return key;
}

// "projector.out" becomes "projector_a.out" and "projector_b.out", unless the layer says more of one.
std::vector<SettingsLayer> of_both_towers(std::vector<SettingsLayer> layers) {
  for (SettingsLayer& layer : layers) {
    Settings settings;
    for (const auto& [key, value] : layer.settings) {
      for (const Tower tower : {Tower::a, Tower::b}) settings.try_emplace(with_tower(key, tower), value);
    }
    for (const auto& [key, value] : layer.settings) {
      if (settings.contains(key)) settings[key] = value;
    }
    layer.settings = std::move(settings);
  }
  return layers;
}

ViewOptions pair_views(int64_t size) {
  ViewOptions views = view_preset("weak", size);
  views.scale_min = kLeastCrop;
  views.flip_probability = 0;
  return views;
}

void check_contradictions(const PairRecipe& recipe) {
  const PairTrainOptions& train = recipe.train;
  check(!recipe.data.with.empty(), "[data] expected data.with, the data set whose items belong to those of ",
        recipe.data.source, ", got none");
  check(train.method == "ncl" || recipe.activation.name == "none", "[activation] expected none with method cl, got ",
        recipe.activation.name, "; sigma+ is what makes it ncl");
  check(recipe.loss.name != "infonce" || recipe.loss.learn_temperature ||
            1 <= recipe.loss.temperature * recipe.loss.scale_cap,
        "[loss] expected a fixed temperature of at least 1 / scale_cap, got ", recipe.loss.temperature, " and ",
        recipe.loss.scale_cap);
  check(train.freeze != "both" || recipe.a.projector.depth > 0 || recipe.b.projector.depth > 0,
        "[train] expected a tower or a projector that learns, got both towers frozen and no projector");
  for (const Tower tower : {Tower::a, Tower::b}) {
    const std::string name = to_string(tower);
    check(!train.shared_projector || !recipe.of(tower).projector.batch_norm, "[projector_", name,
          "] expected no batch_norm in a projector that both towers share, got it: their statistics ", "differ");
    check(!is_frozen(recipe, tower) || !(tower == Tower::a ? train.init_from_a : train.init_from_b).empty(),
          "[train] expected train.init_from_", name, ", which a frozen tower ", name, " starts from, got none");
    recipe.of(tower).views.validate();
  }
}

// Both projectors end as wide as the one that somebody spoke of.
void agree_on_width(PairRecipe& recipe, const std::vector<SettingsLayer>& layers) {
  int64_t& a = recipe.a.projector.out;
  int64_t& b = recipe.b.projector.out;
  if (!said(layers, "projector_b.out")) b = a;
  if (!said(layers, "projector_a.out")) a = b;
  check(a == b, "[projector] expected projectors that end equally wide, got projector_a.out = ", a,
        " and projector_b.out = ", b);
}

// As many passes as make up the usual number of steps: a large set of pairs needs to be seen a few times only.
void fit_passes(PairRecipe& recipe, const std::vector<SettingsLayer>& layers, int64_t pairs,
                std::vector<Choice>& choices) {
  constexpr int64_t kSteps = 500;
  constexpr int64_t kMostEpochs = 200;
  constexpr int64_t kEvaluations = 20;
  if (said(layers, "train.epochs")) return;
  const int64_t batches = std::max<int64_t>(pairs / recipe.train.batch, 1);
  recipe.train.epochs = std::min((kSteps + batches - 1) / batches, kMostEpochs);
  if (!said(layers, "eval.every")) recipe.eval.every = (recipe.train.epochs + kEvaluations - 1) / kEvaluations;
  choices.push_back({"train.epochs", join(recipe.train.epochs, " epochs of ", pairs, " pairs")});
}

// A transformer has a position for every word that it may read, and most of its work is between them.
void fit_words(TowerOptions& tower, const std::vector<SettingsLayer>& layers, Tower name) {
  constexpr int64_t kWordsOfASequence = 64;
  if (tower.backbone.name != "text-transformer" || said(layers, with_tower("text.max_words", name))) return;
  tower.text.max_words = kWordsOfASequence;
}

// fit_to_data() of one tower; the words of its messages are those of two.
std::vector<Choice> fit_tower(PairRecipe& recipe, const std::vector<SettingsLayer>& layers, const Dataset& data,
                              Tower tower) {
  Recipe own = tower_recipe(recipe, tower);
  std::vector<Choice> choices;
  try {
    choices = fit_to_data(own, tower_layers(layers, tower), data);
  } catch (const std::invalid_argument& error) {
    std::string text = error.what();
    if (const size_t at = text.find("(backbone."); at != std::string::npos) {
      text.insert(text.find('.', at), join("_", to_string(tower)));
    }
    throw std::invalid_argument(text);
  }
  recipe.of(tower) = {own.backbone, own.projector, own.views, recipe.of(tower).text};
  fit_words(recipe.of(tower), layers, tower);
  if (tower == Tower::b) {
    std::erase_if(choices, [](const Choice& choice) { return with_tower(choice.key, Tower::b) == choice.key; });
  } else {
    recipe.train.epochs = own.train.epochs;
    recipe.train.batch = own.train.batch;
    recipe.optimiser.warmup_epochs = own.optimiser.warmup_epochs;
    recipe.eval.every = own.eval.every;
  }
  for (Choice& choice : choices) choice.key = with_tower(choice.key, tower);
  return choices;
}

}  // namespace

std::string to_string(Tower tower) { return tower == Tower::a ? "a" : "b"; }

bool is_frozen(const PairRecipe& recipe, Tower tower) {
  return recipe.train.freeze == "both" || recipe.train.freeze == to_string(tower);
}

bool is_of_pairs(const Settings& settings) { return settings.contains("data.with"); }

std::vector<std::string> pair_keys() {
  std::vector<std::string> keys = section_keys(PairRecipe{});
  for (const std::string& key : section_keys(PairRecipe{})) {
    const size_t at = key.find("_a.");
    if (at != std::string::npos) keys.push_back(key.substr(0, at) + key.substr(at + 2));
  }
  return keys;
}

PairRecipe make_pair_recipe(const std::vector<SettingsLayer>& said_layers) {
  const std::vector<SettingsLayer> layers = of_both_towers(said_layers);
  PairRecipe recipe;
  check_keys(recipe, layers);
  apply_layers(recipe, layers);
  for (const Tower tower : {Tower::a, Tower::b}) recipe.of(tower).views = pair_views(recipe.of(tower).views.size);
  if (!said(layers, "activation.name")) recipe.activation.name = recipe.train.method == "ncl" ? "rep_relu" : "none";
  apply_layers(recipe, layers);
  if (!said(layers, "optimiser.rate")) recipe.optimiser.rate = usual_rate(recipe.optimiser.name);
  check_contradictions(recipe);
  return recipe;
}

std::vector<Choice> fit_pairs(PairRecipe& recipe, const std::vector<SettingsLayer>& said_layers,
                              const PairedData& data) {
  const std::vector<SettingsLayer> layers = of_both_towers(said_layers);
  std::vector<Choice> choices;
  fit_passes(recipe, layers, data.a->size(), choices);
  for (Choice& choice : fit_tower(recipe, layers, *data.a, Tower::a)) choices.push_back(std::move(choice));
  for (Choice& choice : fit_tower(recipe, layers, *data.b, Tower::b)) choices.push_back(std::move(choice));
  agree_on_width(recipe, layers);
  if (recipe.train.shared_projector) recipe.a.projector.batch_norm = recipe.b.projector.batch_norm = false;
  return choices;
}

Recipe tower_recipe(const PairRecipe& recipe, Tower tower) {
  const bool first = tower == Tower::a;
  const TowerOptions& own = recipe.of(tower);
  Recipe one;
  one.data = {.source = first ? recipe.data.source : recipe.data.with,
              .split = recipe.data.split,
              .eval_split = recipe.data.eval_split,
              .train_size = recipe.data.train_size,
              .strict = recipe.data.strict,
              .vector_noise = first ? recipe.data.vector_noise_a : recipe.data.vector_noise_b,
              .vector_dropout = first ? recipe.data.vector_dropout_a : recipe.data.vector_dropout_b,
              .text_view = "none",
              .positives = "views"};
  one.train.method = recipe.train.method;
  one.train.epochs = recipe.train.epochs;
  one.train.batch = recipe.train.batch;
  one.train.view_count = 1;
  one.train.activation_warmup = recipe.train.activation_warmup;
  one.train.seed = recipe.train.seed;
  one.train.threads = recipe.train.threads;
  one.train.loader_threads = recipe.train.loader_threads;
  one.train.cache_mib = recipe.train.cache_mib;
  one.train.init_from = first ? recipe.train.init_from_a : recipe.train.init_from_b;
  one.train.pacing = recipe.train.pacing;
  one.backbone = own.backbone;
  one.projector = own.projector;
  one.views = own.views;
  one.text = own.text;
  one.activation = recipe.activation;
  one.loss.name = recipe.loss.name;
  one.loss.temperature = recipe.loss.temperature;
  one.optimiser = recipe.optimiser;
  one.eval.every = recipe.eval.every;
  one.eval.size = recipe.eval.size;
  one.eval.bank = 0;
  one.eval.dead_limit = recipe.eval.dead_limit;
  return one;
}

ModelOptions tower_model(const PairRecipe& recipe, Tower tower) {
  ModelOptions model = model_options(tower_recipe(recipe, tower));
  model.notes["tower"] = to_string(tower);
  return model;
}

std::vector<SettingsLayer> tower_layers(const std::vector<SettingsLayer>& layers, Tower tower) {
  std::vector<SettingsLayer> own;
  for (const SettingsLayer& layer : of_both_towers(layers)) {
    own.push_back({layer.source, {}});
    for (const std::string& key : recipe_keys()) {
      const auto found = layer.settings.find(with_tower(key, tower));
      if (found != layer.settings.end()) own.back().settings[key] = found->second;
    }
  }
  return own;
}

Settings tower_settings(const ModelOptions& model, Tower tower) {
  Settings settings;
  for (const auto& [key, value] : architecture_settings(model)) settings[with_tower(key, tower)] = value;
  return settings;
}

std::string pair_text(const PairRecipe& recipe) {
  return sections_text(recipe, "Everything that decides how this run goes. 'orthant pretrain --recipe' repeats it.");
}

std::vector<std::string> pair_differences(const PairRecipe& before, const PairRecipe& after) {
  return changed_settings(flat_settings(before), flat_settings(after), harmless());
}

PairedParts open_paired_parts(const PairRecipe& recipe) {
  DataOptions options;
  options.split = recipe.data.split;
  options.size = recipe.data.train_size;
  options.strict = recipe.data.strict;
  options.threads = static_cast<int>(recipe.train.threads);
  PairedParts parts;
  parts.train = open_pairs(recipe.data.source, recipe.data.with, options);
  options.split = recipe.data.eval_split;
  options.size = 0;
  parts.held_out = open_pairs(recipe.data.source, recipe.data.with, options);
  return parts;
}

}  // namespace orthant
