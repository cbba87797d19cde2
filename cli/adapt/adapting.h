#pragma once

#include <string>
#include <vector>

#include "cli/frame/app.h"
#include "cli/frame/command.h"
#include "orthant/adapt/material.h"
#include "orthant/adapt/recipe.h"
#include "orthant/run/run_folder.h"

namespace orthant::cli {

// `orthant embed` and `orthant resume` of runs that `orthant adapt` made, which need no LibTorch.
void add_adapted_embed(App& app);
void add_adapted_resume(App& app);

// Adds those of the two that the words of the command line ask for; returns their names, for which no other program
// has to be started.
std::vector<std::string> add_adapted_commands(App& app, int argc, char** argv);

// Opens what the recipe names, with progress on stderr, and tells what a person should know of the rows.
adapt::Material open_told(const adapt::AdaptRecipe& recipe, const Common& common);

// Learns, from the newest checkpoint of the run on if `resumed`, with progress on stderr. On Ctrl-C or SIGTERM saves a
// checkpoint, says how to go on, and throws Interrupted. Prints what the codes keep, as a table or with `json` as one
// document.
void run_adapting(const adapt::AdaptRecipe& recipe, const adapt::Material& material, const RunFolder& folder,
                  bool resumed, bool quiet, bool json);

}  // namespace orthant::cli
