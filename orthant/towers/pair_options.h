#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>

#include "orthant/core/fields.h"
#include "orthant/run/pacing_options.h"

namespace orthant {

// Two data sets whose items belong together, item i of one with item i of the other; see orthant/pairs/pairs.h.
struct PairChoice {
  std::string source = "sprites";   // of tower a: KIND[:PATH], as open_dataset() takes it
  std::string with;                 // of tower b
  std::string split = "train";      // what is learned from
  std::string eval_split = "test";  // what is held out
  int64_t train_size = 0;           // pairs to learn from; 0: all
  bool strict = false;              // refuse a folder with unreadable pictures instead of skipping them
  // Of vectors, each tower its own: deviation of the Gaussian noise of a view, relative to the deviation of each
  // element in the data, and the share of elements that are set to their mean.
  double vector_noise_a = 0.1;
  double vector_dropout_a = 0.1;
  double vector_noise_b = 0.1;
  double vector_dropout_b = 0.1;

  bool operator==(const PairChoice&) const = default;
};

// How long and how two towers train, and when the run speaks and saves.
struct PairTrainOptions {
  std::string method = "ncl";  // "ncl": non-negative features; "cl": without sigma+
  int64_t epochs = 20;         // chosen by the number of pairs unless it was said; see fit_pairs()
  int64_t batch = 256;         // pairs; every other pair of a batch is a negative
  // Backbones that stay as they are, in evaluation mode: none, a, b, both. Projectors learn in any case.
  std::string freeze = "none";
  std::string init_from_a;        // run or file of weights that tower a starts from; empty: a new network
  std::string init_from_b;        // the same for tower b
  std::string word_vectors;       // "npy:FILE.npy,WORDS.txt" that towers of texts start from; empty: none
  bool shared_projector = false;  // both towers end in one projector, which needs backbones with equally many features
  double activation_warmup = 0;   // share of training over which sigma+ is blended in
  int64_t seed = 10;
  int64_t threads = 0;         // 0: all; a resumed run is bit for bit the same only with the same number
  int64_t loader_threads = 0;  // 0: as many as threads
  int64_t cache_mib = 1024;    // decoded pictures of each tower kept in memory
  PacingOptions pacing;

  bool operator==(const PairTrainOptions&) const = default;
};

// What is measured on held-out pairs at the ends of epochs, and when to warn.
struct PairEvalOptions {
  int64_t every = 1;        // epochs; 0: only after the last one
  int64_t size = 1000;      // held-out pairs looked at
  double dead_limit = 0.9;  // share of a tower's features from which a warning is given

  bool operator==(const PairEvalOptions&) const = default;
};

// Every setting is listed once; see orthant/core/fields.h.

template <class Options, class Visitor>
requires std::same_as<std::remove_const_t<Options>, PairChoice>
void for_each_field(Options& o, Visitor&& visit) {
  const Limits noise{.min = 0, .max = 1e6};
  const Limits dropout{.min = 0, .max = 0.99};
  visit(Field{"source", "Data set of tower a, KIND[:PATH]"}, o.source);
  visit(Field{"with", "Data set of tower b, KIND[:PATH], whose items belong to those of tower a"}, o.with);
  visit(Field{"split", "Part to learn from", {.choices = {"train", "test", "all"}}}, o.split);
  visit(Field{"eval_split", "Part that is held out", {.choices = {"train", "test", "all"}}}, o.eval_split);
  visit(Field{"train_size", "Pairs to learn from; 0: all", {.min = 0, .max = 1e12}}, o.train_size);
  visit(Field{"strict", "Refuse a folder with unreadable pictures"}, o.strict);
  visit(Field{"vector_noise_a", "Noise in vectors of tower a, relative to the data's deviation", noise},
        o.vector_noise_a);
  visit(Field{"vector_dropout_a", "Share of elements of tower a's vectors set to their mean", dropout},
        o.vector_dropout_a);
  visit(Field{"vector_noise_b", "Noise in vectors of tower b, relative to the data's deviation", noise},
        o.vector_noise_b);
  visit(Field{"vector_dropout_b", "Share of elements of tower b's vectors set to their mean", dropout},
        o.vector_dropout_b);
}

template <class Options, class Visitor>
requires std::same_as<std::remove_const_t<Options>, PairTrainOptions>
void for_each_field(Options& o, Visitor&& visit) {
  visit(Field{"method", "cl: contrastive; ncl: non-negative contrastive", {.choices = {"cl", "ncl"}}}, o.method);
  visit(Field{"epochs", "Passes over the data", {.min = 1, .max = 1e6}}, o.epochs);
  visit(Field{"batch", "Pairs in a batch", {.min = 2, .max = 1e6}}, o.batch);
  visit(Field{"freeze", "Backbones that do not learn", {.choices = {"none", "a", "b", "both"}}}, o.freeze);
  visit(Field{"init_from_a", "Run or file of weights that tower a starts from"}, o.init_from_a);
  visit(Field{"init_from_b", "Run or file of weights that tower b starts from"}, o.init_from_b);
  visit(Field{"word_vectors", "Vectors that the words of texts start from, npy:FILE.npy,WORDS.txt"}, o.word_vectors);
  visit(Field{"shared_projector", "Both towers end in one projector"}, o.shared_projector);
  visit(Field{"activation_warmup", "Share of training over which sigma+ is blended in", {.min = 0, .max = 1}},
        o.activation_warmup);
  visit(Field{"seed", "Seed of weights, order and views", {.min = 0, .max = 9e15}}, o.seed);
  visit(Field{"threads", "Threads; 0: all", {.min = 0, .max = 4096}}, o.threads);
  visit(Field{"loader_threads", "Threads that make views of a tower; 0: as many as threads", {.min = 0, .max = 4096}},
        o.loader_threads);
  visit(Field{"cache_mib", "Memory for decoded pictures of a tower in MiB", {.min = 0, .max = 1e9}}, o.cache_mib);
  for_each_field(o.pacing, visit);
}

template <class Options, class Visitor>
requires std::same_as<std::remove_const_t<Options>, PairEvalOptions>
void for_each_field(Options& o, Visitor&& visit) {
  visit(Field{"every", "Epochs between two measurements; 0: only after the last", {.min = 0, .max = 1e9}}, o.every);
  visit(Field{"size", "Held-out pairs looked at", {.min = 2, .max = 1e9}}, o.size);
  visit(Field{"dead_limit", "Share of dead features from which a warning is given", {.min = 0, .max = 1}},
        o.dead_limit);
}

}  // namespace orthant
