#include "orthant/run/supervised_recipe.h"

#include "orthant/core/error.h"

namespace orthant {
namespace {

constexpr int64_t kFinetuneEpochs = 30;

const std::vector<std::string>& harmless() {
  static const std::vector<std::string> keys = {"train.threads",   "train.loader_threads",   "train.cache_mib",
                                                "train.log_steps", "train.checkpoint_steps", "train.checkpoint_seconds",
                                                "train.ood",       "train.test_data"};
  return keys;
}

ViewOptions default_views(const Preprocessing& input) {
  ViewOptions views = view_preset("weak", input.size);
  views.scale_min = 0.08;
  views.channels = input.channels;
  views.set_mean(input.mean);
  views.set_std(input.std);
  views.sound = input.sound;
  return views;
}

void check_views(const ViewOptions& views, const Preprocessing& input) {
  views.validate();
  check(views.size == input.size && views.channels == input.channels, "[views] expected ", input.channels, " x ",
        input.size, " x ", input.size, " as the model takes it, got ", views.channels, " x ", views.size, " x ",
        views.size);
  check(views.mean() == input.mean && views.std() == input.std,
        "[views] expected the mean and deviation that the model was trained with, got others");
}

// The solver and the optimiser's name are one thing; whichever was said decides.
void agree_on_solver(SupervisedRecipe& recipe, const std::vector<SettingsLayer>& layers) {
  std::string& solver = recipe.train.solver;
  if (!said(layers, "train.solver") && said(layers, "optimiser.name")) solver = recipe.optimiser.name;
  if (solver != "lbfgs") recipe.optimiser.name = solver;
  if (!said(layers, "optimiser.rate")) recipe.optimiser.rate = usual_rate(recipe.optimiser.name);
}

void check_finetune(const SupervisedOptions& options) {
  if (options.task != "finetune") return;
  check(options.solver != "lbfgs", "[finetune] expected the solver lars, sgd or adamw, got lbfgs");
  check(options.layer == "backbone", "[finetune] expected a classifier on the backbone, got layer ", options.layer);
}

}  // namespace

std::vector<std::string> supervised_keys() { return section_keys(SupervisedRecipe{}); }

bool is_supervised(const Settings& settings) { return settings.contains("train.task"); }

SupervisedRecipe default_supervised_recipe(const std::string& task) {
  SupervisedRecipe recipe;
  recipe.data.source.clear();
  recipe.data.vector_noise = 0;
  recipe.data.vector_dropout = 0;
  recipe.train.task = task;
  if (task == "finetune") {
    recipe.train.solver = "adamw";
    recipe.train.epochs = kFinetuneEpochs;
  }
  return recipe;
}

SupervisedRecipe make_supervised_recipe(const std::vector<SettingsLayer>& layers, const ModelOptions& model) {
  SupervisedRecipe asked;
  check_keys(asked, layers);
  apply_layers(asked, layers);
  SupervisedRecipe recipe = default_supervised_recipe(asked.train.task);
  recipe.views = default_views(model.preprocessing);
  apply_layers(recipe, layers);
  agree_on_solver(recipe, layers);
  check_finetune(recipe.train);
  if (recipe.data.source.empty() && model.notes.contains("data")) recipe.data.source = model.notes.at("data");
  check(!recipe.data.source.empty(), "[", recipe.train.task,
        "] expected data.source, since the model does not say what it ", "was trained on");
  check_views(recipe.views, model.preprocessing);
  return recipe;
}

std::string supervised_text(const SupervisedRecipe& recipe) {
  return sections_text(recipe, "Everything that decides how this run goes. 'orthant " + recipe.train.task +
                                   " RUN --recipe' repeats it.");
}

std::vector<std::string> supervised_differences(const SupervisedRecipe& before, const SupervisedRecipe& after) {
  return changed_settings(flat_settings(before), flat_settings(after), harmless());
}

}  // namespace orthant
