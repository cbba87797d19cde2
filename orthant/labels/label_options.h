#pragma once

#include <concepts>
#include <string>
#include <type_traits>

#include "orthant/core/fields.h"

namespace orthant {

// How a network learns from labels; see docs/supervise.md. Held-out labels are never touched by any of it.
struct LabelOptions {
  double smoothing = 0;  // share of the target that is spread evenly over all classes
  double noise = 0;      // share of the training labels that are made wrong; see label_noise()
  double fraction = 1;   // share of the training items that is learned from, equally many of each class
  // "none"; "balanced": n / (C n_c); or C positive numbers separated by commas. See class_weights().
  std::string class_weights = "none";
  bool nonneg_weights = false;  // the classifier's weights are never negative; its bias is free

  bool operator==(const LabelOptions&) const = default;
};

// Lists every setting once; see orthant/core/fields.h.
template <class Options, class Visitor>
requires std::same_as<std::remove_const_t<Options>, LabelOptions>
void for_each_field(Options& o, Visitor&& visit) {
  visit(Field{"smoothing", "Share of the target spread over all classes", {.min = 0, .max = 0.999}}, o.smoothing);
  visit(Field{"noise", "Share of the training labels made wrong", {.min = 0, .max = 1}}, o.noise);
  visit(Field{"fraction", "Share of the labelled items used, balanced", {.min = 0, .max = 1, .exclusive_min = true}},
        o.fraction);
  visit(Field{"class_weights", "none, balanced, or a number for each class: 1,2.5,..."}, o.class_weights);
  visit(Field{"nonneg_weights", "The classifier's weights are never negative"}, o.nonneg_weights);
}

}  // namespace orthant
