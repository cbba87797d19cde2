#pragma once

#include <string>
#include <vector>

#include "orthant/adapt/options.h"
#include "orthant/run/recipe.h"
#include "orthant/run/sections.h"

namespace orthant::adapt {

// Everything that decides how vectors are adapted.
struct AdaptRecipe {
  DataOptions data;
  AdapterOptions adapter;
  ObjectiveOptions objective;
  LearnOptions train;
  WatchOptions watch;

  bool operator==(const AdaptRecipe&) const = default;
};

// Calls visit(name, options) for every section; see orthant/run/sections.h.
template <class AnyRecipe, class Visitor>
requires std::same_as<std::remove_const_t<AnyRecipe>, AdaptRecipe>
void for_each_section(AnyRecipe& recipe, Visitor&& visit) {
  visit("data", recipe.data);
  visit("adapter", recipe.adapter);
  visit("objective", recipe.objective);
  visit("train", recipe.train);
  visit("watch", recipe.watch);
}

// Every key that such a recipe understands.
std::vector<std::string> adapt_keys();

// True for the settings of a run.toml that this kind of recipe wrote; and for the folder of such a run.
bool is_adapted(const Settings& settings);
bool is_adapted_run(const std::string& path);

// The recipe that layers of settings make, later ones winning over earlier ones, and all over the defaults, which
// depend on train.method:
//   topk   a top-k autoencoder with the 4k term and the auxiliary loss (Gao et al.)
//   batch  the same with the B k largest of a batch, and no 4k term
//   jump   JumpReLU whose thresholds hold K features on, and no 4k term
//   csr    topk with a tied decoder and the contrastive term of CSR (Wen et al.), weight 0.1, positives self
//   ncl    InfoNCE on the codes alone; what belongs together are neighbours, or the classes that were given
// std::invalid_argument for an unknown key, a value that does not fit, or settings that contradict each other.
AdaptRecipe make_adapt_recipe(const std::vector<SettingsLayer>& layers);

// What the data is like, as far as the recipe needs it.
struct DataShape {
  int64_t rows = 0;  // that are learned from
  int64_t dims = 0;
  int64_t entries = 0;  // pairs, or the rows
};

// Fills in what nobody said: features, active, batch, epochs and rate, and returns a line for each. Checks the rest
// against the data: std::invalid_argument for more features on than there are, and for fewer rows than two.
std::vector<Choice> fit_to_rows(AdaptRecipe& recipe, const DataShape& data);

// run.toml; see recipe_text() and differences() of orthant/run/recipe.h.
std::string adapt_text(const AdaptRecipe& recipe);
std::vector<std::string> adapt_differences(const AdaptRecipe& before, const AdaptRecipe& after);

// Rows of a batch that are entries of the order: half of them where each comes with a partner.
int64_t entries_of(const AdaptRecipe& recipe);
// Whether each entry is two rows: neighbours, noise, pairs or two towers.
bool has_partners(const AdaptRecipe& recipe);

// Features on per row at `step` of `steps`: K, or k0 (1 - p) + K p, rounded, p = step / (share * steps).
int64_t active_at(const AdaptRecipe& recipe, int64_t step, int64_t steps);

}  // namespace orthant::adapt
