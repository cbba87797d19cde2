#pragma once

#include <string>
#include <utility>
#include <vector>

#include "orthant/data/dataset.h"
#include "orthant/labels/label_options.h"
#include "orthant/run/backbone_options.h"
#include "orthant/run/loss_options.h"
#include "orthant/run/model_options.h"
#include "orthant/run/sections.h"
#include "orthant/run/term_options.h"
#include "orthant/run/train_options.h"
#include "orthant/text/text_options.h"
#include "orthant/text/text_view.h"
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
  TermOptions terms;
  LabelOptions labels;
  OptimiserOptions optimiser;
  ViewOptions views;
  TextOptions text;
  EvalOptions eval;

  bool operator==(const Recipe&) const = default;
};

// Whether views are compared by infonce, by a method of which nothing is published: cl and ncl, not ncl-paper; nor is
// one of two towers, whose items are compared with those of the other.
inline bool compares_views(const Recipe& recipe) {
  const bool ours = recipe.train.method == "cl" || recipe.train.method == "ncl";
  return ours && recipe.loss.name == "infonce" && recipe.train.view_count >= 2;
}

// Calls visit(name, options) for every section; the name is that of the TOML table.
template <class AnyRecipe, class Visitor>
void for_each_section(AnyRecipe& recipe, Visitor&& visit) {
  visit("data", recipe.data);
  visit("train", recipe.train);
  visit("backbone", recipe.backbone);
  visit("projector", recipe.projector);
  visit("activation", recipe.activation);
  visit("loss", recipe.loss);
  visit("terms", recipe.terms);
  visit("labels", recipe.labels);
  visit("optimiser", recipe.optimiser);
  visit("views", recipe.views);
  visit("sound", recipe.views.sound);
  visit("sound_views", recipe.views.sound_views);
  visit("text", recipe.text);
  visit("eval", recipe.eval);
}

// Every key that a recipe understands: "train.batch", ...
std::vector<std::string> recipe_keys();

// The recipe that layers of settings make, later ones winning over earlier ones, and all of them over the defaults.
// Some defaults depend on others: sigma+ is rep_relu for ncl, nce and nsupcon and none for the rest, the rate is the
// usual one of the optimiser, ncl with a projector is sharper than the paper's (ncl-paper), blends sigma+ in, holds a
// share of zeros and lets no feature die (docs/alive.md), [views] starts from the preset that train.views names, byol,
// simsiam and swav have batch norm in the projector, moco a momentum of 0.996, swav a temperature of 0.1 as Caron et
// al., and what learns from labels has its own loss and:
//   ce, nce          one view (vectors without noise); no projector
//   supcon, nsupcon  a temperature of 0.1, as Khosla et al.
//   all of them      views of the preset weak; eval.size 10,000, so that accuracy is told to half a point
// std::invalid_argument for an unknown key, a value that does not fit, or settings that contradict each other (cl with
// a sigma+, one view for a loss that compares views).
Recipe make_recipe(const std::vector<SettingsLayer>& layers);

// A setting that was chosen for a person, and what to tell them of it.
struct Choice {
  std::string key;   // "views.size"
  std::string text;  // "image size 96, chosen from the pictures"

  bool operator==(const Choice&) const = default;
};

// Views of pictures of at most 64 pixels are those of the preset simclr-small, where nobody said which, for cl and ncl
// by infonce: what a whole SimCLR recipe leaves of so few pixels takes long to learn from. What was said of [views]
// stays.
void suit_views_to_size(Recipe& recipe, const std::vector<SettingsLayer>& layers);

// Fills in what the data decides and no layer said: size (see suggested_image_size()), channels, mean and deviation of
// the views; channels, size or dims of the backbone (for vectors an mlp that standardises, with batch norm in the
// projector and a temperature of 0.1; for texts text-bag); of sounds the seconds that a view shows, so that nine of ten
// fit whole, from half a second to four, and its size; for pictures that infonce compares, but not for ncl-paper, muon
// (not for sounds) and with it a temperature of 0.1 for cl and for ncl 1,024 features by relu, 87 % zeros and a shorter
// blending, four views in batches of 128 at twice the rate, 10 epochs, and suit_views_to_size(); a batch of all items
// where there are fewer than the default; more epochs for small data sets, up to 200 for 500 steps. Shortens the
// warm-up, said or not, to a fifth of the run. The statistics are taken of at most 2,000 pictures. Returns what a
// person should know of it. std::invalid_argument if backbone and data do not go together, or there are fewer items
// than two, or than the batch that was said.
std::vector<Choice> fit_to_data(Recipe& recipe, const std::vector<SettingsLayer>& layers, const Dataset& data);

// How the views of texts are made.
TextViewOptions text_views(const Recipe& recipe);

// The model that a recipe describes, with what `embed` has to know.
ModelOptions model_options(const Recipe& recipe);

// The settings of a recipe that weights go with: all of [backbone], [projector], [text] and, if it takes sounds,
// [sound], and of [views] size, channels, mean and deviation.
Settings architecture_settings(const ModelOptions& model);

// std::invalid_argument that names `where` and every setting that differs if the recipe describes a network that the
// weights of `model` do not fit into.
void check_architecture(const Recipe& recipe, const ModelOptions& model, const std::string& where);

// run.toml: every setting with its meaning beside it. read_settings() gives the same recipe back, bit for bit.
std::string recipe_text(const Recipe& recipe);

// "train.batch: 256 -> 128" for every setting that differs and changes the course of training. What only changes how
// often a run speaks or saves, how fast it is, or the last bits of sums (threads), is left out.
std::vector<std::string> differences(const Recipe& before, const Recipe& after);

}  // namespace orthant
