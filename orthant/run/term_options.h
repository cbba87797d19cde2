#pragma once

#include <concepts>
#include <type_traits>

#include "orthant/core/fields.h"

namespace orthant {

// What may be added to the loss of views, each times its weight; defined in learn/loss/terms.h. None helps the method
// that is the default (docs/alive.md has the trials), so all are 0 unless asked for.
struct TermOptions {
  double l1 = 0;             // sum of a unit row's entries; negative: more features stay on
  double entropy = 0;        // of the shares of a unit row's squares
  double orthogonality = 0;  // squared cosines between features over the batch
  double monosemanticity = 0;
  double revive = 0;  // how far features that are off in the whole batch are below zero

  bool operator==(const TermOptions&) const = default;
};

inline bool has_terms(const TermOptions& options) { return !(options == TermOptions{}); }

// Lists every setting once; see orthant/core/fields.h.
template <class Options, class Visitor>
requires std::same_as<std::remove_const_t<Options>, TermOptions>
void for_each_field(Options& options, Visitor&& visit) {
  const Limits any{.min = -1e6, .max = 1e6};
  const Limits positive{.min = 0, .max = 1e6};
  visit(Field{"l1", "Weight of the sum of a unit row's entries; negative: more of them stay on", any}, options.l1);
  visit(Field{"entropy", "Weight of the entropy of a unit row's squares", positive}, options.entropy);
  visit(Field{"orthogonality", "Weight of the squared cosines between features", positive}, options.orthogonality);
  visit(Field{"monosemanticity", "Weight of how unlike the items of a feature are to the backbone", positive},
        options.monosemanticity);
  visit(Field{"revive", "Weight of how far features that are off in the whole batch are below zero", positive},
        options.revive);
}

}  // namespace orthant
