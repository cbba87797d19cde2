#pragma once

#include <string>
#include <vector>

#include "orthant/run/model_options.h"
#include "orthant/run/sections.h"
#include "orthant/run/supervised_options.h"
#include "orthant/run/train_options.h"
#include "orthant/views/options.h"

namespace orthant {

// Everything that decides how a probe or a fine-tuning goes.
struct SupervisedRecipe {
  DataChoice data;
  SupervisedOptions train;
  OptimiserOptions optimiser;
  ViewOptions views;

  bool operator==(const SupervisedRecipe&) const = default;
};

// Calls visit(name, options) for every section; see orthant/run/sections.h.
template <class AnyRecipe, class Visitor>
requires std::same_as<std::remove_const_t<AnyRecipe>, SupervisedRecipe>
void for_each_section(AnyRecipe& recipe, Visitor&& visit) {
  visit("data", recipe.data);
  visit("train", recipe.train);
  visit("optimiser", recipe.optimiser);
  visit("views", recipe.views);
  visit("sound_views", recipe.views.sound_views);
}

// Every key that such a recipe understands.
std::vector<std::string> supervised_keys();

// True for the settings of a run.toml that this kind of recipe wrote, false for those of pretraining.
bool is_supervised(const Settings& settings);

// What holds where nobody says otherwise, before a model is known: a probe by lbfgs, a fine-tuning by adamw for
// 30 epochs, vectors without noise.
SupervisedRecipe default_supervised_recipe(const std::string& task);

// The recipe that layers of settings make for a model with these options, later layers winning over earlier ones, and
// all over the defaults above, the data that the model was trained on, and views that are a random crop of 8 to 100 %
// of the area and a flip with the model's own size, channels and normalisation. The optimiser is the one that
// train.solver names, or the other way round if only optimiser.name is said.
//
// std::invalid_argument for an unknown key, a value that does not fit, views that are not what the model takes, data
// that nobody named, lbfgs or projector features with fine-tuning.
SupervisedRecipe make_supervised_recipe(const std::vector<SettingsLayer>& layers, const ModelOptions& model);

// run.toml; see recipe_text() and differences() of orthant/run/recipe.h.
std::string supervised_text(const SupervisedRecipe& recipe);
std::vector<std::string> supervised_differences(const SupervisedRecipe& before, const SupervisedRecipe& after);

}  // namespace orthant
