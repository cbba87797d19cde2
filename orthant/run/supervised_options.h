#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>

#include "orthant/core/fields.h"
#include "orthant/run/pacing_options.h"

namespace orthant {

// How a classifier is learned on top of a trained encoder.
struct SupervisedOptions {
  // "probe":    the encoder stays as it is, in evaluation mode; a linear classifier learns from its features.
  // "finetune": encoder and classifier learn together, batch norm in training mode.
  std::string task = "probe";
  std::string model;               // run or file of weights whose encoder is used
  std::string layer = "backbone";  // features: the backbone's, or sigma+ of the projector's (probe only)
  // "lbfgs": probe only; features without augmentation, computed once, and the exact minimum of the convex problem.
  // "lars", "sgd", "adamw": epochs over augmented pictures, as [optimiser] and [views] say.
  std::string solver = "lbfgs";
  double l2 = 0;            // lbfgs: strength of the penalty; 0: the best of a grid on a held-out tenth of the rows
  bool standardise = true;  // lbfgs: the penalty acts on features scaled to deviation 1
  int64_t epochs = 50;
  int64_t batch = 256;        // images; fewer where there are fewer
  double label_fraction = 1;  // share of the training items whose labels are used, equally many of each class
  double label_noise = 0;     // share of the training labels that are made wrong; test labels never are
  int64_t test_size = 0;      // held-out items; 0: all
  std::string ood;            // corruptions of the held-out items: "all", or NAME:SEVERITY,...
  std::string test_data;      // other data sets to test on as well: KIND[:PATH];...
  int64_t seeds = 1;          // repetitions with seed, seed + 1, ...: other labels, first weights, order and views
  int64_t seed = 10;
  int64_t threads = 0;         // 0: all
  int64_t loader_threads = 0;  // 0: as many as threads
  int64_t cache_mib = 1024;    // decoded pictures kept in memory
  PacingOptions pacing;

  bool operator==(const SupervisedOptions&) const = default;
};

// Lists every setting once; see orthant/core/fields.h.
template <class Options, class Visitor>
requires std::same_as<std::remove_const_t<Options>, SupervisedOptions>
void for_each_field(Options& o, Visitor&& visit) {
  visit(Field{"task", "probe: frozen encoder; finetune: all of it learns", {.choices = {"probe", "finetune"}}}, o.task);
  visit(Field{"model", "Run or file of weights"}, o.model);
  visit(Field{"layer", "Features that the classifier sees", {.choices = {"backbone", "projector"}}}, o.layer);
  visit(Field{"solver", "How the classifier is found", {.choices = {"lbfgs", "lars", "sgd", "adamw"}}}, o.solver);
  visit(Field{"l2", "Penalty of lbfgs; 0: chosen on a held-out tenth", {.min = 0, .max = 1e6}}, o.l2);
  visit(Field{"standardise", "The penalty of lbfgs acts on features of deviation 1"}, o.standardise);
  visit(Field{"epochs", "Passes over the data", {.min = 1, .max = 1e6}}, o.epochs);
  visit(Field{"batch", "Images in a batch", {.min = 1, .max = 1e6}}, o.batch);
  visit(Field{"label_fraction", "Share of the labels used, balanced", {.min = 0, .max = 1, .exclusive_min = true}},
        o.label_fraction);
  visit(Field{"label_noise", "Share of the training labels made wrong", {.min = 0, .max = 1}}, o.label_noise);
  visit(Field{"test_size", "Held-out items; 0: all", {.min = 0, .max = 1e12}}, o.test_size);
  visit(Field{"ood", "Corruptions to test on: all, or NAME:SEVERITY,..."}, o.ood);
  visit(Field{"test_data", "Other data to test on: KIND[:PATH], several separated by ;"}, o.test_data);
  visit(Field{"seeds", "Repetitions, each with a seed of its own", {.min = 1, .max = 1000}}, o.seeds);
  visit(Field{"seed", "Seed of the first repetition", {.min = 0, .max = 9e15}}, o.seed);
  visit(Field{"threads", "Threads; 0: all", {.min = 0, .max = 4096}}, o.threads);
  visit(Field{"loader_threads", "Threads that make views; 0: as many as threads", {.min = 0, .max = 4096}},
        o.loader_threads);
  visit(Field{"cache_mib", "Memory for decoded pictures in MiB", {.min = 0, .max = 1e9}}, o.cache_mib);
  for_each_field(o.pacing, visit);
}

}  // namespace orthant
