#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>

#include "orthant/core/fields.h"
#include "orthant/run/pacing_options.h"

namespace orthant::adapt {

// The vectors that are adapted.
struct DataOptions {
  std::string embeddings;  // .npy, .npz or .safetensors with [N, D] floats
  std::string labels;      // file of classes, see io::read_labels; empty: those of the embeddings, if any
  std::string ids;         // text with an id per line; empty: those of the embeddings, if any
  std::string second;      // vectors whose row i belongs to row i: the second of two towers
  int64_t held_out = -1;   // rows that are not learned from; -1: a tenth, at most 2,000

  bool operator==(const DataOptions&) const = default;
};

// The encoder: z = gate(W (x - b) + c), and x^ = V z + b.
struct AdapterOptions {
  int64_t features = 0;  // H; 0: chosen from the data
  int64_t active = 0;    // features on per row; 0: chosen from the width
  bool tied = false;     // V is the transpose of W
  bool unit = true;      // rows of V keep unit length; not where tied
  // "unit": rows are scaled to unit length before anything else; "none": they are taken as they are.
  std::string normalise = "unit";
  // Two towers: "linear" maps the second to the first before both are encoded, for vectors of models that were not
  // made for each other; "none" takes both as they are; "auto": linear where their widths differ.
  std::string align = "auto";
  // What features start as: "random" directions, or differences of "rows" of the data from their mean.
  std::string start = "rows";

  bool operator==(const AdapterOptions&) const = default;
};

// What is minimised. Every term has a weight; those of weight 0 cost nothing.
struct ObjectiveOptions {
  double reconstruction = 1;      // of the mean squared error with the active features
  double wide = 0.125;            // of the same with four times as many, from the same pre-activations
  double aux = 1;                 // of what dead features make of the error, over its variance
  int64_t aux_active = 0;         // dead features per row that try; 0: half the width, at most 256
  int64_t dead_steps = 30;        // a feature that was off for more steps is dead
  double contrast = 0;            // of InfoNCE on the codes
  double temperature = 0.2;       // of InfoNCE
  std::string positives;          // self, labels, neighbours, noise, or a .npy of pairs; empty: self
  int64_t neighbours = 5;         // nearest rows that a row belongs to, with "neighbours"
  double noise = 0.5;             // deviation of the noise that makes a second view, relative to the data's
  double sparsity = 1;            // jump: of ((active per row) / K - 1)^2
  double jump_width = 0.2;        // jump: width of the window in which thresholds learn
  double threshold_decay = 0.99;  // batch: of the running threshold that embeds
  int64_t anneal_from = 0;        // features on per row at the start; 0: K from the start
  double anneal_share = 0.7;      // share of the steps over which they fall to K

  bool operator==(const ObjectiveOptions&) const = default;
};

struct LearnOptions {
  // Which gate, and what the other settings start from; see make_adapt_recipe().
  std::string method = "topk";
  int64_t epochs = 0;    // 0: chosen from the number of rows
  int64_t batch = 0;     // 0: chosen from the number of rows
  double rate = 0;       // of Adam, at its peak; 0: 0.006, or 0.003 without reconstruction and of two towers
  double warmup = 0.05;  // share of the steps over which the rate rises
  double epsilon = 1e-8;
  int64_t seed = 10;
  int64_t threads = 0;        // 0: all; results do not depend on it
  int64_t memory_mib = 1024;  // vectors that take more are read in pieces
  PacingOptions pacing = {.log_steps = 50};

  bool operator==(const LearnOptions&) const = default;
};

// What is looked at on held-out rows at the ends of epochs.
struct WatchOptions {
  double seconds = 10;   // at least between two looks; the last epoch is always looked at
  int64_t bank = 10000;  // rows learned from among which neighbours are looked for

  bool operator==(const WatchOptions&) const = default;
};

// Every setting is listed once; see orthant/core/fields.h.

template <class Options, class Visitor>
requires std::same_as<std::remove_const_t<Options>, DataOptions>
void for_each_field(Options& o, Visitor&& visit) {
  visit(Field{"embeddings", "Vectors to adapt: .npy, .npz or .safetensors"}, o.embeddings);
  visit(Field{"labels", "Classes of the rows: integer .npy, or text with one per line"}, o.labels);
  visit(Field{"ids", "Ids of the rows: text with one per line"}, o.ids);
  visit(Field{"second", "Vectors whose row i belongs to row i, for one shared code"}, o.second);
  visit(Field{"held_out", "Rows that are not learned from; -1: a tenth, at most 2,000", {.min = -1, .max = 1e9}},
        o.held_out);
}

template <class Options, class Visitor>
requires std::same_as<std::remove_const_t<Options>, AdapterOptions>
void for_each_field(Options& o, Visitor&& visit) {
  visit(Field{"features", "Features; 0: chosen from the data", {.min = 0, .max = 1 << 20}}, o.features);
  visit(Field{"active", "Features on per row; 0: chosen from the width", {.min = 0, .max = 1 << 20}}, o.active);
  visit(Field{"tied", "The decoder is the encoder's transpose"}, o.tied);
  visit(Field{"unit", "Rows of an untied decoder keep unit length"}, o.unit);
  visit(Field{"normalise", "unit: rows are scaled to unit length first; none", {.choices = {"unit", "none"}}},
        o.normalise);
  visit(Field{"align",
              "Two towers: linear maps the second to the first; none; auto: linear if their widths differ",
              {.choices = {"auto", "linear", "none"}}},
        o.align);
  visit(
      Field{"start", "What features start as: random directions, or rows of the data", {.choices = {"random", "rows"}}},
      o.start);
}

template <class Options, class Visitor>
requires std::same_as<std::remove_const_t<Options>, ObjectiveOptions>
void for_each_field(Options& o, Visitor&& visit) {
  const Limits weight{.min = 0, .max = 1e6};
  const Limits positive{.min = 0, .max = 1e6, .exclusive_min = true};
  visit(Field{"reconstruction", "Weight of the squared error with K features on", weight}, o.reconstruction);
  visit(Field{"wide", "Weight of the squared error with 4 K features on", weight}, o.wide);
  visit(Field{"aux", "Weight of what dead features make of the error", weight}, o.aux);
  visit(
      Field{"aux_active", "Dead features per row that try; 0: half the width, at most 256", {.min = 0, .max = 1 << 20}},
      o.aux_active);
  visit(Field{"dead_steps", "Steps without a row after which a feature is dead", {.min = 1, .max = 1e9}}, o.dead_steps);
  visit(Field{"contrast", "Weight of InfoNCE on the codes", weight}, o.contrast);
  visit(Field{"temperature", "Temperature of InfoNCE", {.min = 0.02, .max = 100}}, o.temperature);
  visit(Field{"positives", "What belongs together: self, labels, neighbours, noise, or a .npy of pairs of rows"},
        o.positives);
  visit(Field{"neighbours", "Nearest rows that a row belongs to", {.min = 1, .max = 1000}}, o.neighbours);
  visit(Field{"noise", "Deviation of the noise of a second view, relative to the data's", positive}, o.noise);
  visit(Field{"sparsity", "Weight that holds the number of features on, of jump", weight}, o.sparsity);
  visit(Field{"jump_width", "Window in which thresholds learn, of jump", positive}, o.jump_width);
  visit(Field{"threshold_decay", "Decay of the running threshold, of batch", {.min = 0, .max = 0.999999}},
        o.threshold_decay);
  visit(Field{"anneal_from", "Features on per row at the start; 0: K all the time", {.min = 0, .max = 1 << 20}},
        o.anneal_from);
  visit(
      Field{
          "anneal_share", "Share of the steps over which they fall to K", {.min = 0, .max = 1, .exclusive_min = true}},
      o.anneal_share);
}

template <class Options, class Visitor>
requires std::same_as<std::remove_const_t<Options>, LearnOptions>
void for_each_field(Options& o, Visitor&& visit) {
  visit(Field{"method",
              "topk: K largest of each row; batch: K per row on average; jump: learned thresholds; csr: topk with a "
              "contrastive term, as published; ncl: contrastive alone",
              {.choices = {"topk", "batch", "jump", "csr", "ncl"}}},
        o.method);
  visit(Field{"epochs", "Passes over the rows; 0: chosen from their number", {.min = 0, .max = 1e6}}, o.epochs);
  visit(Field{"batch", "Rows in a batch; 0: chosen from their number", {.min = 0, .max = 1 << 20}}, o.batch);
  visit(Field{"rate",
              "Learning rate at its peak; 0: 0.006, or 0.003 without reconstruction and of two towers",
              {.min = 0, .max = 10}},
        o.rate);
  visit(Field{"warmup", "Share of the steps over which the rate rises", {.min = 0, .max = 1}}, o.warmup);
  visit(Field{"epsilon", "Guard of Adam's division", {.min = 0, .max = 1, .exclusive_min = true}}, o.epsilon);
  visit(Field{"seed", "Seed of the weights and the order", {.min = 0, .max = 9e15}}, o.seed);
  visit(Field{"threads", "Threads; 0: all", {.min = 0, .max = 4096}}, o.threads);
  visit(Field{"memory_mib", "Vectors that take more are read in pieces", {.min = 1, .max = 1e9}}, o.memory_mib);
  for_each_field(o.pacing, visit);
}

template <class Options, class Visitor>
requires std::same_as<std::remove_const_t<Options>, WatchOptions>
void for_each_field(Options& o, Visitor&& visit) {
  visit(Field{"seconds", "At least between two looks at held-out rows", {.min = 0, .max = 1e9}}, o.seconds);
  visit(Field{"bank", "Rows among which neighbours are looked for", {.min = 1, .max = 1e7}}, o.bank);
}

}  // namespace orthant::adapt
