#pragma once

#include <functional>
#include <vector>

#include "learn/train/speed.h"
#include "orthant/run/recipe.h"

namespace orthant {

// What a run may take, and on what.
struct Budget {
  double seconds = 0;  // from now on, measuring included
  int64_t items = 0;   // to learn from
  int64_t held_out = 0;
  bool whole = false;  // all of them belong together, so that no part may be taken
};

// How fast a recipe is, measured in about that many seconds; measure_speed() unless a test has another idea.
using Measure = std::function<Speed(const Recipe& recipe, double seconds)>;

// Chooses the epochs so that training ends within the budget, whatever a layer says of them, and what no layer said:
// for conv-mini its width and the image size, for pictures that infonce compares the layers of the projector, then
// batch, rate and warm-up (at most a fifth of the run); how often and on how much to evaluate; and fewer items where
// not even two epochs of all fit. `recipe` must be fitted to its data (fit_to_data()), whose image size is the largest
// that is chosen. At most 400 epochs are chosen: a small data set may
// need less than the budget. Returns what was chosen. std::invalid_argument if the budget does not suffice for a
// hundred steps at the smallest.
std::vector<Choice> fit_to_budget(Recipe& recipe, const std::vector<SettingsLayer>& layers, const Budget& budget,
                                  const Measure& measure);

}  // namespace orthant
