#pragma once

#include <string>
#include <vector>

#include "orthant/pairs/open_pairs.h"
#include "orthant/run/recipe.h"
#include "orthant/run/sections.h"
#include "orthant/text/text_options.h"
#include "orthant/towers/pair_loss_options.h"
#include "orthant/towers/pair_options.h"

namespace orthant {

// One side of a pair: "a", what data.source gives, or "b", what data.with gives.
enum class Tower { a, b };

// "a" or "b".
std::string to_string(Tower tower);

// The network of one side. Of `views` only pictures and sounds have a use, and of `text` only texts.
struct TowerOptions {
  BackboneOptions backbone;
  ProjectorOptions projector;
  ViewOptions views;
  TextOptions text;

  bool operator==(const TowerOptions&) const = default;
};

// Everything that decides how a run of two towers goes.
struct PairRecipe {
  PairChoice data;
  PairTrainOptions train;
  TowerOptions a;
  TowerOptions b;
  ActivationOptions activation;  // of both
  PairLossOptions loss;
  OptimiserOptions optimiser;
  PairEvalOptions eval;

  TowerOptions& of(Tower tower) { return tower == Tower::a ? a : b; }
  const TowerOptions& of(Tower tower) const { return tower == Tower::a ? a : b; }

  bool operator==(const PairRecipe&) const = default;
};

// Calls visit(name, options) for every section; see orthant/run/sections.h.
template <class AnyRecipe, class Visitor>
requires std::same_as<std::remove_const_t<AnyRecipe>, PairRecipe>
void for_each_section(AnyRecipe& recipe, Visitor&& visit) {
  visit("data", recipe.data);
  visit("train", recipe.train);
  for (const Tower tower : {Tower::a, Tower::b}) {
    auto& options = recipe.of(tower);
    const std::string name = to_string(tower);
    visit("backbone_" + name, options.backbone);
    visit("projector_" + name, options.projector);
    visit("views_" + name, options.views);
    visit("sound_" + name, options.views.sound);
    visit("sound_views_" + name, options.views.sound_views);
    visit("text_" + name, options.text);
  }
  visit("activation", recipe.activation);
  visit("loss", recipe.loss);
  visit("optimiser", recipe.optimiser);
  visit("eval", recipe.eval);
}

// Whether the tower's backbone stays as it is.
bool is_frozen(const PairRecipe& recipe, Tower tower);

// True for the settings of a recipe of two towers: those that say data.with.
bool is_of_pairs(const Settings& settings);

// Every key that such a recipe understands. Besides "projector_a.out" and "projector_b.out" there is "projector.out",
// which stands for both, and so for everything that the towers have.
std::vector<std::string> pair_keys();

// The recipe that layers of settings make, later ones winning over earlier ones, and all over the defaults. Three
// defaults depend on others: sigma+ is rep_relu for ncl and none for cl, the rate is the usual one of the optimiser,
// and views of pictures are crops of at least 60 % of the area and nothing else, since what belongs to a picture may
// well say what a flip or another colour would change. std::invalid_argument for an unknown key, a value that does not
// fit, or settings that contradict each other (cl with a sigma+, a frozen tower that starts from nothing).
PairRecipe make_pair_recipe(const std::vector<SettingsLayer>& layers);

// Fills in what the data of either tower decides and no layer said, as fit_to_data() does for one; as many epochs as
// make 500 steps, 200 at most; projectors end equally wide. Returns what a person should know of it.
// std::invalid_argument as fit_to_data(), and for projectors that were said to end with different widths.
std::vector<Choice> fit_pairs(PairRecipe& recipe, const std::vector<SettingsLayer>& layers, const PairedData& data);

// One tower as a recipe of its own, as far as it has one; its model, whose file notes the tower; its share of layers.
Recipe tower_recipe(const PairRecipe& recipe, Tower tower);
ModelOptions tower_model(const PairRecipe& recipe, Tower tower);
std::vector<SettingsLayer> tower_layers(const std::vector<SettingsLayer>& layers, Tower tower);

// architecture_settings() of a model (orthant/run/recipe.h), as settings of one tower.
Settings tower_settings(const ModelOptions& model, Tower tower);

// run.toml; see recipe_text() and differences() of orthant/run/recipe.h.
std::string pair_text(const PairRecipe& recipe);
std::vector<std::string> pair_differences(const PairRecipe& before, const PairRecipe& after);

// What is learned from and what is held out.
struct PairedParts {
  PairedData train;
  PairedData held_out;
};

// IoError or std::invalid_argument as open_pairs().
PairedParts open_paired_parts(const PairRecipe& recipe);

}  // namespace orthant
