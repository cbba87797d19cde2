#include "learn/train/budget.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "learn/train/plan.h"
#include "orthant/core/error.h"
#include "orthant/run/schedule.h"

namespace orthant {
namespace {

constexpr double kEvaluationShare = 0.06;  // of the time, at most
constexpr double kReserve = 0.04;          // for starting, saving and what else a plan does not know of
constexpr int64_t kMostEpochs = 400;
constexpr int64_t kFewestSteps = 100;
constexpr double kHiddenLayer = 500'000;  // items in two views each from which a projector of two layers is ahead

// A size and a width of conv-mini, and how many items in two views each a run must see before they are worth their
// time; see docs/training.md for where the figures come from.
struct Rung {
  int64_t size;
  int64_t width;
  double least_items;
};

// Items in two views each that cost as much as `seen` in as many as the recipe has.
double in_two_views(const Recipe& recipe, double seen) {
  return seen * std::max(static_cast<double>(recipe.train.view_count) / 2, 1.0);
}

bool may_choose(const std::vector<SettingsLayer>& layers, const std::string& key) { return !said(layers, key); }

double relative_cost(const Rung& rung) {
  const auto size = static_cast<double>(rung.size);
  return size * size * std::pow(static_cast<double>(rung.width), 1.1);
}

// From the cheapest to the dearest.
std::vector<Rung> ladder(const Recipe& recipe, const std::vector<SettingsLayer>& layers) {
  std::vector<Rung> sizes;
  double least = 0;
  for (const auto& [size, least_items] : {std::pair{32, 0.0}, {64, 100'000.0}, {96, 400'000.0}, {128, 1'000'000.0}}) {
    least = least_items;
    if (size >= recipe.views.size) break;
    if (may_choose(layers, "views.size")) sizes.push_back({size, 0, least_items});
  }
  sizes.push_back({recipe.views.size, 0, sizes.empty() ? 0 : least});
  std::vector<Rung> rungs;
  for (const Rung& size : sizes) {
    if (!may_choose(layers, "backbone.width")) {
      rungs.push_back({size.size, recipe.backbone.width, size.least_items});
      continue;
    }
    for (const auto& [width, least_items] : {std::pair{32, 0.0}, {64, 250'000.0}, {96, 1'500'000.0}}) {
      rungs.push_back({size.size, width, std::max(size.least_items, least_items)});
    }
  }
  std::ranges::stable_sort(rungs, {}, relative_cost);
  return rungs;
}

void take(Recipe& recipe, const Rung& rung) {
  recipe.views.size = recipe.backbone.image_size = rung.size;
  recipe.backbone.width = rung.width;
}

// The dearest rung on which enough items are seen, as measured: what width costs differs from machine to machine.
void choose_network(Recipe& recipe, const std::vector<SettingsLayer>& layers, double seconds, const Measure& measure) {
  const bool fixed = recipe.backbone.name != "conv-mini";
  const std::vector<Rung> rungs = fixed ? std::vector<Rung>{} : ladder(recipe, layers);
  if (rungs.size() < 2) return;
  take(recipe, rungs.front());
  const double each = std::clamp(0.02 * seconds, 0.3, 3.0);
  const double base = measure(recipe, each).seconds_per_item / relative_cost(rungs.front());
  for (auto rung = rungs.rbegin(); rung + 1 != rungs.rend(); ++rung) {
    if (in_two_views(recipe, seconds / (base * relative_cost(*rung))) < rung->least_items) continue;
    take(recipe, *rung);
    if (in_two_views(recipe, seconds / measure(recipe, each).seconds_per_item) >= rung->least_items) return;
  }
  take(recipe, rungs.front());
}

bool takes_pictures(const Recipe& recipe) {
  const std::string& backbone = recipe.backbone.name;
  return backbone != "mlp" && backbone != "table" && !backbone.starts_with("text-");
}

// What sees few pictures is ahead with one layer, from which backbone and features learn at once; docs/alive.md.
void choose_projector(Recipe& recipe, const std::vector<SettingsLayer>& layers, double seen) {
  if (!compares_views(recipe) || !takes_pictures(recipe)) return;
  for (const char* key : {"projector.depth", "projector.hidden", "projector.batch_norm"}) {
    if (!may_choose(layers, key)) return;
  }
  if (in_two_views(recipe, seen) < kHiddenLayer) recipe.projector.depth = 1;
}

// Smaller for a short run, which has few steps, and for few items.
void choose_batch(Recipe& recipe, const std::vector<SettingsLayer>& layers, const Budget& budget, double seen) {
  if (may_choose(layers, "train.batch")) {
    auto batch = static_cast<int64_t>((in_two_views(recipe, seen) < 50'000 ? 128 : 256) / in_two_views(recipe, 1));
    while (batch > 32 && budget.items < 8 * batch) batch /= 2;
    recipe.train.batch = std::min(batch, std::max<int64_t>(budget.items, 2));
  }
  if (may_choose(layers, "optimiser.rate") && is_adaptive(recipe.optimiser.name)) {
    const bool text = recipe.backbone.name.starts_with("text-");  // whose rate is their own
    const double usual = usual_rate(recipe.optimiser.name);
    recipe.optimiser.rate = (text ? recipe.optimiser.rate : usual) * 256 / static_cast<double>(recipe.train.batch);
  }
}

// So that one evaluation is a small part of all, and there are as many of them as the share allows.
void choose_evaluation(Recipe& recipe, const std::vector<SettingsLayer>& layers, const Budget& budget, double seen) {
  const auto cost = [&] { return evaluation_items(recipe, budget.items, budget.held_out); };
  while (cost() > kEvaluationShare * seen && recipe.eval.size > 200 && may_choose(layers, "eval.size")) {
    recipe.eval.size /= 2;
    if (may_choose(layers, "eval.bank")) recipe.eval.bank /= 2;
  }
  if (!may_choose(layers, "eval.every")) return;
  const auto most = static_cast<int64_t>(std::max(1.0, std::min(20.0, kEvaluationShare * seen / cost())));
  recipe.eval.every = (recipe.train.epochs + most - 1) / most;
}

// Whole epochs over all items; over a part of them where rounding would be felt.
void choose_length(Recipe& recipe, const std::vector<SettingsLayer>& layers, Budget& budget, double seen) {
  constexpr double kFelt = 0.06;
  const auto whole = [&](int64_t items) {
    return static_cast<double>(items / recipe.train.batch * recipe.train.batch);
  };
  const double epochs = seen / whole(budget.items);
  recipe.train.epochs = std::clamp<int64_t>(std::llround(epochs), 2, kMostEpochs);
  const double rounding = std::abs(static_cast<double>(recipe.train.epochs) / epochs - 1);
  // A fraction of labels would be taken of the part, and pairs need both of their items.
  const bool part = may_choose(layers, "data.train_size") && recipe.labels.fraction == 1 && !budget.whole;
  if (epochs > kMostEpochs || rounding <= kFelt || !part) return;
  recipe.train.epochs = std::max<int64_t>(2, static_cast<int64_t>(std::ceil(epochs)));
  const auto items = static_cast<int64_t>(seen / static_cast<double>(recipe.train.epochs));
  budget.items = std::clamp(items / recipe.train.batch * recipe.train.batch, recipe.train.batch, budget.items);
  recipe.data.train_size = budget.items;
}

std::string words(const Recipe& recipe, const Budget& budget, int64_t all) {
  std::string text = join(recipe.train.epochs, " epochs of ", budget.items);
  if (budget.items < all) text += join(" of ", all);
  text += join(" items in batches of ", recipe.train.batch);
  if (takes_pictures(recipe)) text += join(", image size ", recipe.views.size);
  text += ", " + recipe.backbone.name;
  if (recipe.backbone.name == "conv-mini") text += join(" of width ", recipe.backbone.width);
  if (recipe.projector.depth == 1) text += ", a projector of one layer";
  return text;
}

}  // namespace

std::vector<Choice> fit_to_budget(Recipe& recipe, const std::vector<SettingsLayer>& layers, const Budget& budget,
                                  const Measure& measure) {
  Budget left = budget;
  choose_network(recipe, layers, budget.seconds, measure);
  if (takes_pictures(recipe)) suit_views_to_size(recipe, layers);
  const double measuring = std::clamp(0.04 * budget.seconds, 0.5, 8.0);
  const Speed speed = measure(recipe, measuring);
  const double pictures = static_cast<double>(budget.items) * speed.seconds_per_decode;
  const double seconds = (1 - kReserve - kEvaluationShare) * budget.seconds - 1.5 * measuring - pictures;
  const double seen = seconds / speed.seconds_per_item;
  choose_batch(recipe, layers, left, seen);
  check(seen >= static_cast<double>(kFewestSteps * recipe.train.batch), "[budget] expected time for at least ",
        kFewestSteps, " batches of ", recipe.train.batch, " items, which take ",
        std::ceil(static_cast<double>(kFewestSteps * recipe.train.batch) * speed.seconds_per_item + pictures),
        " seconds here, got ", budget.seconds, " seconds");
  choose_projector(recipe, layers, seen);
  choose_length(recipe, layers, left, seen);
  choose_evaluation(recipe, layers, left, seen);
  if (may_choose(layers, "optimiser.warmup_epochs")) {
    recipe.optimiser.warmup_epochs = 0.05 * static_cast<double>(recipe.train.epochs);
  }
  clamp_warmup(recipe.optimiser, recipe.train.epochs);
  std::vector<Choice> choices = {{"", words(recipe, left, budget.items)}};
  if (recipe.train.epochs == kMostEpochs) {
    choices.push_back({"", join("more than ", kMostEpochs, " epochs teach nothing new: done before time")});
  }
  return choices;
}

}  // namespace orthant
