#include "orthant/run/recipe.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "orthant/core/error.h"
#include "orthant/run/held_sparse.h"
#include "orthant/sources/open.h"

namespace orthant {
namespace {

constexpr int64_t kTestedItems = 10'000;    // held out, where there are labels to learn from
constexpr double kSupconTemperature = 0.1;  // as Khosla et al.
constexpr double kSwavTemperature = 0.1;    // as Caron et al.
constexpr double kMocoMomentum = 0.996;     // at 0.99 keys in the queue grow too old; see docs/losses.md
// What keeps non-negative features alive, sparse and as accurate as others; docs/alive.md has the trials.
constexpr double kNclTemperature = 0.07;
constexpr int64_t kFewFeatures = 64;  // fewer are not held sparse: many items would be left without any
constexpr double kNclFloor = 0.005;
// Of the term beside a learned importance; see docs/losses.md.
constexpr double kDecorrelation = 0.1;
constexpr double kNclDecorrelation = 0.01;

// The settings of the views that belong to a model.
constexpr std::array kInput = {"views.size",   "views.channels", "views.mean_r", "views.mean_g",
                               "views.mean_b", "views.std_r",    "views.std_g",  "views.std_b"};

// Settings that change when a run speaks and saves, but not what it learns.
const std::vector<std::string>& harmless() {
  static const std::vector<std::string> keys = {"train.threads",
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
  return keys;
}

// What a loss needs where nobody says otherwise.
void suit_loss(Recipe& recipe, const std::string& loss) {
  // As published: without it everything looks alike, to byol and simsiam for good and to swav for long.
  if (loss == "byol" || loss == "simsiam" || loss == "swav") recipe.projector.batch_norm = true;
  if (loss == "moco") recipe.loss.momentum = kMocoMomentum;
  if (loss == "swav") recipe.loss.temperature = kSwavTemperature;
}

void keep_alive(Recipe& recipe, const std::string& loss) {
  if (loss == "infonce") recipe.loss.temperature = kNclTemperature;
  recipe.projector.out = kNclFeatures;
  recipe.activation.sparsity = kNclSparsity;
  recipe.activation.floor = kNclFloor;
  recipe.train.activation_warmup = kNclWarmup;
}

// What holds for a method where nobody says otherwise.
Recipe defaults_of(const Recipe& asked) {
  const std::string& method = asked.train.method;
  const std::string& loss = asked.loss.name;
  Recipe recipe;
  if (is_graph(asked.data.source) && !learns_from_labels(method)) recipe.data.split = "all";
  if (!has_sigma(method)) recipe.activation.name = "none";
  recipe.loss.decorrelation = has_sigma(method) ? kNclDecorrelation : kDecorrelation;
  if (!learns_from_labels(method)) {
    if (is_held(asked)) keep_alive(recipe, loss);
    suit_loss(recipe, loss);
    return recipe;
  }
  recipe.eval.size = kTestedItems;
  recipe.train.views = "weak";
  if (is_supcon(method)) {
    recipe.loss.name = "supcon";
    recipe.loss.temperature = kSupconTemperature;
    return recipe;
  }
  recipe.loss.name = "cross_entropy";
  recipe.train.view_count = 1;
  recipe.data.vector_noise = 0;
  recipe.data.vector_dropout = 0;
  recipe.data.text_view = "none";
  recipe.projector.depth = 0;
  return recipe;
}

// It becomes part of the last layer, which sigma+ must leave room for: sigma+(a y) = a sigma+(y).
void check_importance(const Recipe& recipe) {
  if (!learns_importance(recipe.loss)) return;
  const std::string& loss = recipe.loss.name;
  const std::string& sigma = recipe.activation.name;
  check(loss == "infonce" || loss == "spectral", "[loss] expected infonce or spectral to learn importance by, got ",
        loss, ", which has no sum over features to weigh");
  check(recipe.loss.nested == 0,
        "[loss] expected learned importance or nested features, which are both about the "
        "features that come first, got both");
  check(recipe.projector.depth > 0,
        "[projector] expected a layer that learned importance becomes part of, got depth 0");
  check(cuts_at_zero(recipe.activation) || sigma == "none" || sigma == "leaky_relu",
        "[activation] expected relu, rep_relu, leaky_relu or none with learned importance, which features can be "
        "scaled by, got ",
        sigma);
}

void check_method(const Recipe& recipe) {
  const std::string& method = recipe.train.method;
  check(has_sigma(method) || recipe.activation.name == "none", "[activation] expected none with method ", method,
        ", got ", recipe.activation.name, "; sigma+ is what makes it n", method);
  check(has_sigma(method) || (active_share(recipe.activation, 1) == 0 && recipe.activation.floor == 0),
        "[activation] expected no sparsity and no floor with method ", method, ", whose features have no zeros");
  check(!learns_from_labels(method) || !has_sigma(method) || recipe.activation.name != "none",
        "[activation] expected a sigma+ with method ", method, ", got none, which is method ", method.substr(1));
  const std::string own = is_cross_entropy(method) ? "cross_entropy" : is_supcon(method) ? "supcon" : "";
  const std::string& loss = recipe.loss.name;
  check(own.empty() ? loss != "cross_entropy" && loss != "supcon" : loss == own, "[loss] expected ",
        own.empty() ? "infonce, spectral, barlow, vicreg, moco, byol, simsiam or swav" : own, " with method ", method,
        ", got ", loss);
  const bool of_views = loss == "infonce" || loss == "spectral" || loss == "barlow" || loss == "vicreg";
  check(of_views || (!has_terms(recipe.terms) && recipe.loss.nested == 0),
        "[loss] expected infonce, spectral, barlow or vicreg with terms or nested features, got ", loss);
  check(recipe.loss.companion == 0 || (loss == "infonce" && !learns_importance(recipe.loss)),
        "[loss] expected infonce without learned importance for a companion, got ",
        loss == "infonce" ? "learned importance" : loss);
  check_importance(recipe);
  check(recipe.train.view_count >= 2 || is_cross_entropy(method),
        "[train] expected two views or more to compare with method ", method, ", got view_count ",
        recipe.train.view_count);
}

}  // namespace

std::vector<std::string> recipe_keys() { return section_keys(Recipe{}); }

Recipe make_recipe(const std::vector<SettingsLayer>& layers) {
  Recipe asked;
  check_keys(asked, layers);
  apply_layers(asked, layers);
  Recipe recipe = defaults_of(asked);
  apply_layers(recipe, layers);
  recipe.views = view_preset(recipe.train.views, recipe.views.size);
  apply_layers(recipe, layers);
  if (!said(layers, "optimiser.rate")) recipe.optimiser.rate = usual_rate(recipe.optimiser.name);
  if (recipe.activation.active > 0) recipe.activation.sparsity = 0;  // which says the same
  if (recipe.projector.out < kFewFeatures && !said(layers, "activation.sparsity")) recipe.activation.sparsity = 0;
  check_method(recipe);
  recipe.views.validate();
  return recipe;
}

TextViewOptions text_views(const Recipe& recipe) {
  return {.kind = recipe.data.text_view, .dropout = recipe.data.text_dropout, .draw = true, .words = recipe.text};
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
                         .std = recipe.views.std(),
                         .sound = recipe.views.sound};
  model.text = recipe.text;
  model.temperature = recipe.loss.temperature;
  model.method = recipe.train.method;
  model.notes = {{"data", recipe.data.source}, {"loss", recipe.loss.name}};
  return model;
}

Settings architecture_settings(const ModelOptions& model) {
  Recipe recipe;
  recipe.backbone = model.backbone;
  recipe.projector = model.projector;
  recipe.views.size = model.preprocessing.size;
  recipe.views.channels = model.preprocessing.channels;
  recipe.views.set_mean(model.preprocessing.mean);
  recipe.views.set_std(model.preprocessing.std);
  recipe.views.sound = model.preprocessing.sound;
  recipe.text = model.text;
  Settings settings;
  for (const auto& [key, value] : flat_settings(recipe)) {
    const bool network = key.starts_with("backbone.") || key.starts_with("projector.") || key.starts_with("text.") ||
                         (recipe.views.of_sound() && key.starts_with("sound."));
    if (network || std::ranges::find(kInput, key) != kInput.end()) settings[key] = value;
  }
  return settings;
}

void check_architecture(const Recipe& recipe, const ModelOptions& model, const std::string& where) {
  Recipe fitting = recipe;
  fitting.backbone = model.backbone;
  fitting.projector = model.projector;
  if (model.backbone.name.starts_with("text-")) fitting.text = model.text;
  // Only the positions of vit-tiny's patches belong to one size.
  if (model.backbone.name != "vit-tiny") fitting.backbone.image_size = recipe.backbone.image_size;
  std::string changes;
  for (const std::string& line : changed_settings(flat_settings(fitting), flat_settings(recipe), {})) {
    changes += (changes.empty() ? "" : ", ") + line;
  }
  check(changes.empty(), "[", where, "] expected the network that its weights are of, got ", changes);
}

std::string recipe_text(const Recipe& recipe) {
  const std::string command = learns_from_labels(recipe.train.method) ? "supervise" : "pretrain";
  return sections_text(recipe,
                       "Everything that decides how this run goes. 'orthant " + command + " --recipe' repeats it.");
}

std::vector<std::string> differences(const Recipe& before, const Recipe& after) {
  return changed_settings(flat_settings(before), flat_settings(after), harmless());
}

}  // namespace orthant
