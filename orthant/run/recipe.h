#pragma once

#include <string>
#include <utility>
#include <vector>

#include "orthant/data/dataset.h"
#include "orthant/run/backbone_options.h"
#include "orthant/run/loss_options.h"
#include "orthant/run/model_options.h"
#include "orthant/run/sections.h"
#include "orthant/run/train_options.h"
#include "orthant/views/options.h"

namespace orthant {

// Everything that decides how a run goes.
struct Recipe {
  DataChoice data;
  TrainOptions train;
  BackboneOptions backbone;
  ProjectorOptions projector;
  ActivationOptions activation;
  LossOptions loss;
  OptimiserOptions optimiser;
  ViewOptions views;
  EvalOptions eval;

  bool operator==(const Recipe&) const = default;
};

// Calls visit(name, options) for every section; the name is that of the TOML table.
template <class AnyRecipe, class Visitor>
void for_each_section(AnyRecipe& recipe, Visitor&& visit) {
  visit("data", recipe.data);
  visit("train", recipe.train);
  visit("backbone", recipe.backbone);
  visit("projector", recipe.projector);
  visit("activation", recipe.activation);
  visit("loss", recipe.loss);
  visit("optimiser", recipe.optimiser);
  visit("views", recipe.views);
  visit("eval", recipe.eval);
}

// Every key that a recipe understands: "train.batch", ...
std::vector<std::string> recipe_keys();

// The recipe that layers of settings make, later ones winning over earlier ones, and all of them over the defaults.
// Two defaults depend on others: sigma+ is rep_relu for ncl and none for cl, and [views] starts from the preset that
// train.views names. std::invalid_argument for an unknown key, a value that does not fit, or settings that contradict
// each other (cl with a sigma+).
Recipe make_recipe(const std::vector<SettingsLayer>& layers);

// Fills in what the data decides and no layer said: size, channels, mean and deviation of the views; channels, size or
// dims of the backbone (an mlp for vectors). The statistics are taken of at most 2,000 pictures.
// std::invalid_argument if backbone and data do not go together, or there is less than one batch.
void fit_to_data(Recipe& recipe, const std::vector<SettingsLayer>& layers, const Dataset& data);

// The model that a recipe describes, with what `embed` has to know.
ModelOptions model_options(const Recipe& recipe);

// run.toml: every setting with its meaning beside it. read_settings() gives the same recipe back, bit for bit.
std::string recipe_text(const Recipe& recipe);

// "train.batch: 256 -> 128" for every setting that differs and changes the course of training. What only changes how
// often a run speaks or saves, how fast it is, or the last bits of sums (threads), is left out.
std::vector<std::string> differences(const Recipe& before, const Recipe& after);

}  // namespace orthant
