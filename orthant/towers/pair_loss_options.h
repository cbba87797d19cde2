#pragma once

#include <concepts>
#include <string>
#include <type_traits>

#include "orthant/core/fields.h"

namespace orthant {

// The loss of two towers, defined in learn/loss/pair_loss.h. All but the name and norm_eps are infonce's.
struct PairLossOptions {
  std::string name = "infonce";  // infonce, spectral
  double temperature = 0.07;     // at the start: similarities are cosines times a scale, 1 / temperature
  bool learn_temperature = true;
  double scale_cap = 100;  // what the scale may grow to; a lower one makes features denser and spares the rare ones
  double norm_eps = 1e-6;  // rows not longer than this count as zero rows

  bool operator==(const PairLossOptions&) const = default;
};

// Lists every setting once; see orthant/core/fields.h.
template <class Options, class Visitor>
requires std::same_as<std::remove_const_t<Options>, PairLossOptions>
void for_each_field(Options& o, Visitor&& visit) {
  visit(Field{"name", "Loss of two towers", {.choices = {"infonce", "spectral"}}}, o.name);
  visit(Field{"temperature", "Temperature of InfoNCE's similarities at the start", {.min = 1e-4, .max = 1e4}},
        o.temperature);
  visit(Field{"learn_temperature", "The temperature is learned"}, o.learn_temperature);
  visit(Field{"scale_cap", "What 1 / temperature may grow to", {.min = 1e-4, .max = 1e4}}, o.scale_cap);
  visit(Field{"norm_eps", "Length up to which a row counts as zero", {.min = 0, .exclusive_min = true}}, o.norm_eps);
}

}  // namespace orthant
