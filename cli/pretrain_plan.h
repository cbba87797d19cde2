#pragma once

#include <string>
#include <vector>

#include "learn/train/plan.h"
#include "orthant/run/recipe.h"

namespace orthant::cli {

// Prints what a run will take, the cost first and then every setting; or all of it as one JSON document.
void print_plan(const Recipe& recipe, const Speed& speed, const Plan& plan, bool json);

// Tells on stderr what was chosen for a person, with the flag that changes it.
void tell_choices(const std::vector<Choice>& choices);

}  // namespace orthant::cli
