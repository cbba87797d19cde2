#include "orthant/adapt/recipe.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "orthant/core/error.h"
#include "orthant/io/settings_file.h"
#include "orthant/run/run_paths.h"

namespace orthant::adapt {
namespace {

AdaptRecipe preset(const std::string& method, bool labelled) {
  AdaptRecipe recipe;
  recipe.train.method = method;
  ObjectiveOptions& terms = recipe.objective;
  if (method == "batch" || method == "jump") terms.wide = 0;
  if (method == "csr") {
    recipe.adapter.tied = true;
    terms.aux = 0.03125;
    terms.contrast = 0.1;
  }
  if (method == "ncl") {
    terms.reconstruction = terms.wide = terms.aux = 0;
    terms.contrast = 1;
    terms.positives = labelled ? "labels" : "neighbours";
  }
  return recipe;
}

void check_active(const AdapterOptions& adapter) {
  check(adapter.active <= adapter.features, "[adapter.active] expected at most as many features on as the ",
        adapter.features, " there are, got ", adapter.active);
}

void check_terms(const AdaptRecipe& recipe) {
  const ObjectiveOptions& o = recipe.objective;
  check(o.reconstruction > 0 || o.contrast > 0,
        "[objective] expected a weight above 0 for reconstruction or contrast, got neither");
  check(o.reconstruction > 0 || (o.wide == 0 && o.aux == 0),
        "[objective] expected wide and aux 0 without reconstruction, which they build on, got ", o.wide, " and ",
        o.aux);
  check(recipe.train.method != "jump" || o.wide == 0,
        "[objective.wide] expected 0 with jump, where thresholds and not a number decide, got ", o.wide);
  check(recipe.train.method != "jump" || (o.anneal_from == 0 && o.contrast == 0),
        "[objective] expected no annealing and no contrast with jump, got anneal_from ", o.anneal_from,
        " and contrast ", o.contrast);
  const std::string& p = o.positives;
  check(p.empty() || p == "self" || p == "labels" || p == "neighbours" || p == "noise" || p.ends_with(".npy"),
        "[objective.positives] expected self, labels, neighbours, noise or a .npy of pairs, got ", p);
  check(recipe.data.second.empty() || p.empty() || p == "self",
        "[objective.positives] expected none with data.second, whose rows are the positives, got ", p);
}

int64_t power_of_two_near(double value) { return int64_t{1} << std::lround(std::log2(std::max(1.0, value))); }

std::string number(int64_t value) {
  return value < 1000 ? fmt::format("{}", value) : fmt::format("{},{:03}", number(value / 1000), value % 1000);
}

}  // namespace

std::vector<std::string> adapt_keys() { return section_keys(AdaptRecipe{}); }

bool is_adapted(const Settings& settings) { return settings.contains("adapter.features"); }

bool is_adapted_run(const std::string& path) {
  return is_run(path) && is_adapted(io::read_settings(RunPaths(path).recipe_file()));
}

AdaptRecipe make_adapt_recipe(const std::vector<SettingsLayer>& layers) {
  AdaptRecipe asked;
  check_keys(asked, layers);
  apply_layers(asked, layers);
  AdaptRecipe recipe = preset(asked.train.method, !asked.data.labels.empty());
  apply_layers(recipe, layers);
  if (!recipe.data.second.empty() && !said(layers, "objective.contrast") && recipe.objective.contrast == 0) {
    recipe.objective.contrast = 1;
  }
  check_terms(recipe);
  if (recipe.adapter.features > 0) check_active(recipe.adapter);
  return recipe;
}

bool has_partners(const AdaptRecipe& recipe) {
  if (!recipe.data.second.empty()) return true;
  const std::string& p = recipe.objective.positives;
  return recipe.objective.contrast > 0 && (p == "neighbours" || p == "noise" || p.ends_with(".npy"));
}

int64_t entries_of(const AdaptRecipe& recipe) {
  return has_partners(recipe) ? recipe.train.batch / 2 : recipe.train.batch;
}

std::vector<Choice> fit_to_rows(AdaptRecipe& recipe, const DataShape& data) {
  check(data.rows >= 2 && data.entries >= 1, "[adapt] expected at least two rows to learn from, got ", data.rows);
  std::vector<Choice> choices;
  const auto chose = [&](const char* key, const std::string& text) { choices.push_back({key, text}); };
  AdapterOptions& adapter = recipe.adapter;
  if (adapter.features == 0) {
    adapter.features = std::clamp(power_of_two_near(4.0 * static_cast<double>(data.dims)), int64_t{64}, int64_t{16384});
    while (adapter.features > 64 && adapter.features > data.rows / 4) adapter.features /= 2;
    chose("adapter.features", fmt::format("{} features, for vectors of {}", number(adapter.features), data.dims));
  }
  if (adapter.active == 0) {
    adapter.active = std::clamp(adapter.features / 16, int64_t{1}, int64_t{32});
    chose("adapter.active", fmt::format("{} features on per row, of {}", adapter.active, number(adapter.features)));
  }
  check_active(adapter);
  ObjectiveOptions& terms = recipe.objective;
  if (terms.aux_active == 0) terms.aux_active = std::clamp(data.dims / 2, int64_t{1}, int64_t{256});
  terms.aux_active = std::min(terms.aux_active, adapter.features);
  if (terms.anneal_from > 0) {
    terms.anneal_from = std::max(adapter.active, std::min(terms.anneal_from, adapter.features / 4));
  }
  LearnOptions& train = recipe.train;
  const int64_t rows_each = has_partners(recipe) ? 2 : 1;
  const bool two_towers = !recipe.data.second.empty();
  if (train.batch == 0) {
    train.batch = std::clamp(power_of_two_near(static_cast<double>(data.entries) / 50), int64_t{256}, int64_t{4096});
    train.batch = std::min(train.batch, data.entries * rows_each);
    chose("train.batch", fmt::format("batches of {} rows", number(train.batch)));
  }
  check(train.batch >= 2 * rows_each && train.batch % rows_each == 0, "[train.batch] expected ",
        rows_each == 2 ? "an even number of at least four rows" : "at least two rows", ", got ", train.batch);
  check(train.batch / rows_each <= data.entries, "[train.batch] expected at most the ", data.entries * rows_each,
        " rows that there are, got ", train.batch);
  const int64_t batches = data.entries / entries_of(recipe);
  if (train.epochs == 0) {
    constexpr int64_t kSteps = 4000;
    const int64_t most = two_towers ? 10 : 500;  // pairs are soon learned by heart
    train.epochs = std::clamp((kSteps + batches - 1) / batches, int64_t{1}, most);
    chose("train.epochs",
          fmt::format("{} epochs of {} steps, over {} rows", number(train.epochs), number(batches), number(data.rows)));
  }
  if (train.rate == 0) {
    train.rate = terms.reconstruction > 0 && !two_towers ? 6e-3 : 3e-3;
    chose("train.rate", fmt::format("rate {}", train.rate));
  }
  return choices;
}

std::string adapt_text(const AdaptRecipe& recipe) {
  return sections_text(recipe, "Everything that decides how this run goes. 'orthant adapt --recipe' repeats it.");
}

std::vector<std::string> adapt_differences(const AdaptRecipe& before, const AdaptRecipe& after) {
  return changed_settings(
      flat_settings(before), flat_settings(after),
      {"train.threads", "train.log_steps", "train.checkpoint_steps", "train.checkpoint_seconds", "watch.seconds"});
}

int64_t active_at(const AdaptRecipe& recipe, int64_t step, int64_t steps) {
  const auto last = static_cast<double>(recipe.adapter.active);
  const auto first = static_cast<double>(recipe.objective.anneal_from);
  if (first <= last) return recipe.adapter.active;
  const double span = recipe.objective.anneal_share * static_cast<double>(steps);
  const double p = std::min(1.0, static_cast<double>(step) / span);
  return std::lround(first * (1 - p) + last * p);
}

}  // namespace orthant::adapt
