#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>

#include "orthant/core/fields.h"

namespace orthant {

// Below this the rounding of a float32 cosine is worth more than the exponent itself.
constexpr double kMinTemperature = 1e-4;

constexpr int64_t kCompanionFeatures = 256;
constexpr double kCompanionTemperature = 0.1;

// Which loss, and its coefficients. Losses of views are defined in learn/loss/loss.h; moco, byol, simsiam and swav,
// which have networks or parameters of their own, in the headers of learn/loss named after them (byol and simsiam:
// prediction.h); supcon in learn/loss/supcon.h; cross_entropy, whose settings are those of [labels], in
// learn/task/class_head.h. A coefficient belongs to the losses it names and is ignored by the others.
struct LossOptions {
  std::string name = "infonce";
  double temperature = 0.2;      // infonce, supcon, moco, swav: similarities are cosines divided by this
  double temperature_start = 0;  // infonce: temperature of the first step, from which it moves; 0: constant
  // Losses of views: so many of the first features also learn on their own, at the same weight as all together, so that
  // they alone are a shorter code; 0: none.
  int64_t nested = 0;
  // infonce: weight of what a companion of signed features learns beside those after sigma+, from the same views; it
  // teaches the backbone and is no part of the model. 0: none.
  double companion = 0;
  // infonce, spectral: "learned" trains how much each feature counts together with the network
  // (learn/loss/importance.h), and decorrelation weighs the term without which features could be mixed at will; ncl:
  // 0.01.
  std::string importance = "none";
  double decorrelation = 0.1;
  double norm_eps = 1e-6;           // rows not longer than this count as zero rows
  double barlow_redundancy = 5e-3;  // barlow: weight of the off-diagonal terms (lambda)
  double vicreg_invariance = 25;    // vicreg: weight of the distance between views (lambda)
  double vicreg_variance = 25;      // vicreg: weight of the hinge on standard deviations (mu)
  double vicreg_covariance = 1;     // vicreg: weight of the covariances (nu)
  // moco, byol: after a step the momentum network is momentum * itself + (1 - momentum) * the network; byol's rises to
  // 1 along a cosine. Published are 0.999 and 0.996, for a hundred times as many steps.
  double momentum = 0.99;
  // moco: keys of batches before that are negatives as well. The network learns to tell old keys from new ones where
  // the momentum network changes while they wait: (1 - momentum) * queue / (views * batch) is to be a few per cent.
  int64_t queue = 1024;
  int64_t predictor_hidden = 512;  // byol, simsiam: width of the predictor's hidden layer
  int64_t swav_prototypes = 128;
  double swav_epsilon = 0.05;   // swav: smoothness of the codes
  int64_t swav_iterations = 3;  // swav: of Sinkhorn and Knopp
  double swav_frozen = 0.05;    // swav: share of training at the start of which prototypes stay as they are

  bool operator==(const LossOptions&) const = default;
};

inline bool learns_importance(const LossOptions& options) { return options.importance == "learned"; }

// Lists every setting once; see orthant/core/fields.h.
template <class Options, class Visitor>
requires std::same_as<std::remove_const_t<Options>, LossOptions>
void for_each_field(Options& options, Visitor&& visit) {
  visit(Field{"name",
              "Loss to minimise",
              {.choices = {"infonce", "spectral", "barlow", "vicreg", "moco", "byol", "simsiam", "swav",
                           "cross_entropy", "supcon"}}},
        options.name);
  visit(
      Field{
          "temperature", "Temperature of the similarities of infonce, supcon, moco and swav", {.min = kMinTemperature}},
      options.temperature);
  visit(Field{"temperature_start",
              "Temperature of the first step, from which it moves along half a cosine; 0: constant",
              {.min = 0}},
        options.temperature_start);
  visit(
      Field{"nested", "Features, from the first on, that also learn on their own; 0: none", {.min = 0, .max = 1 << 20}},
      options.nested);
  visit(Field{"companion",
              "Weight of signed features that learn beside the others, teach the backbone and are dropped; 0: none",
              {.min = 0}},
        options.companion);
  visit(Field{"importance",
              "Whether how much each feature counts is learned too, by infonce or spectral: features then come in that "
              "order",
              {.choices = {"none", "learned"}}},
        options.importance);
  visit(Field{"decorrelation", "Weight of the term that keeps features of a learned importance apart", {.min = 0}},
        options.decorrelation);
  visit(Field{"norm_eps", "Length up to which a row counts as zero", {.min = 0, .exclusive_min = true}},
        options.norm_eps);
  visit(Field{"barlow_redundancy", "Barlow Twins: weight of the off-diagonal correlations", {.min = 0}},
        options.barlow_redundancy);
  visit(Field{"vicreg_invariance", "VICReg: weight of the distance between views", {.min = 0}},
        options.vicreg_invariance);
  visit(Field{"vicreg_variance", "VICReg: weight of the hinge on standard deviations", {.min = 0}},
        options.vicreg_variance);
  visit(Field{"vicreg_covariance", "VICReg: weight of the covariances", {.min = 0}}, options.vicreg_covariance);
  visit(Field{"momentum", "MoCo, BYOL: share of the momentum network that a step leaves", {.min = 0, .max = 1}},
        options.momentum);
  visit(Field{"queue", "MoCo: keys of earlier batches that are negatives", {.min = 0, .max = 1 << 20}}, options.queue);
  visit(Field{"predictor_hidden", "BYOL, SimSiam: width of the predictor", {.min = 1, .max = 1 << 20}},
        options.predictor_hidden);
  visit(Field{"swav_prototypes", "SwAV: number of prototypes", {.min = 2, .max = 1 << 20}}, options.swav_prototypes);
  visit(Field{"swav_epsilon", "SwAV: smoothness of the codes", {.min = 1e-4}}, options.swav_epsilon);
  visit(Field{"swav_iterations", "SwAV: iterations of Sinkhorn and Knopp", {.min = 1, .max = 1000}},
        options.swav_iterations);
  visit(Field{"swav_frozen", "SwAV: share of training before prototypes move", {.min = 0, .max = 1}},
        options.swav_frozen);
}

}  // namespace orthant
