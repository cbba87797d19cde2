#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>

#include "orthant/core/fields.h"
#include "orthant/run/pacing_options.h"

namespace orthant {

// What to learn from.
struct DataChoice {
  std::string source = "sprites";   // KIND[:PATH], as open_dataset() takes it
  std::string split = "train";      // what is learned from; of a graph all of it, unless it was said
  std::string eval_split = "test";  // what is held out
  int64_t train_size = 0;           // items to learn from; 0: all
  bool strict = false;              // refuse a folder with unreadable pictures instead of skipping them
  // Of vectors: deviation of the Gaussian noise that makes a view, relative to the deviation of each element in the
  // data.
  double vector_noise = 1.0;
  double vector_dropout = 0.1;  // of vectors: share of elements set to their mean in a view
  // Of texts: what a view is, and the share of its words that are left out; see TextViewOptions.
  std::string text_view = "halves";
  double text_dropout = 0;
  // What belongs together: "views" of one item, items of one class ("labels"), each of the nearest neighbours of a
  // vector
  // ("nearest"), or the pairs of items in a file, .npy [P, 2] of their numbers. Empty: the edges of a graph, else
  // views.
  std::string positives;
  int64_t neighbours = 5;  // of a vector, with "nearest"

  bool operator==(const DataChoice&) const = default;
};

// How weights follow gradients, and the learning rate over time (see Schedule).
struct OptimiserOptions {
  // lars, sgd, adamw, muon. At the length of a run on a CPU muon is far ahead on pictures, which it is chosen for where
  // nothing is said (fit_to_data()); lars, the paper's, needs hundreds of epochs.
  std::string name = "adamw";
  double rate = 0.001;  // for 256 images; the rate used is rate * batch / 256
  double weight_decay = 1e-4;
  double momentum = 0.9;  // lars, sgd and muon
  double eta = 0.02;      // lars: size of a step relative to the size of the weights
  bool clip_rate = true;  // lars: the local rate never exceeds the global one
  // lars: parameters of one dimension (biases, batch norm) are neither scaled nor decayed. The other optimisers treat
  // all parameters alike, as PyTorch's do.
  bool exclude_vectors = true;
  double beta1 = 0.9;  // adamw, and what muon leaves to it
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double warmup_epochs = 1;
  double warmup_start = 3e-5;  // rate of the first step, whatever the batch; at most the peak
  double end_rate = 0;         // rate that the cosine approaches, for 256 images as `rate` is

  bool operator==(const OptimiserOptions&) const = default;
};

// Whether steps have a size of their own, whatever that of the gradient, so that the rate does not go with the batch.
inline bool is_adaptive(const std::string& optimiser) { return optimiser == "adamw" || optimiser == "muon"; }

// The rate for 256 images where nobody said one: they take steps of different kinds.
inline double usual_rate(const std::string& optimiser) {
  return optimiser == "adamw" ? 0.001 : optimiser == "muon" ? 0.016 : 0.4;
}

// How long and how a run trains, and when it speaks and saves.
struct TrainOptions {
  // What is learned, and from what. Of each pair the second has a sigma+ behind the projector, the first has not:
  //   cl, ncl          contrastive: views of one item belong together; no labels
  //   ncl-paper        ncl with the settings of the paper; see make_recipe()
  //   ce, nce          cross entropy of a linear classifier on the projector's output; labels
  //   supcon, nsupcon  supervised contrastive: views of one class belong together; labels
  std::string method = "ncl";
  std::string views = "simclr";  // preset that the settings of [views] start from; see view_preset()
  int64_t epochs = 20;           // small data sets get more unless it was said; see fit_to_data()
  int64_t batch = 256;
  int64_t view_count = 2;
  // Views pass the network one after the other, as in the published code, so that batch norm sees one view at a time;
  // otherwise all together.
  bool views_apart = false;
  // Of several processes, each takes the statistics of batch norm from its own rows; otherwise from those of all.
  bool norms_apart = false;
  // Rows that go through the network at once; 0: all. The loss sees the whole batch either way (every row is computed
  // twice), but batch norm then uses the statistics of a piece.
  int64_t chunk = 0;
  // bfloat16: the operands of the products of convolutions and linear layers are rounded to bfloat16 while training, by
  // AMX, which the machine must have; sums, weights and everything else stay float32, and so does what is measured.
  std::string precision = "float32";
  double activation_warmup = 0;  // share of training over which sigma+ is blended in
  int64_t seed = 10;
  int64_t threads = 0;           // 0: all; a resumed run is bit for bit the same only with the same number
  int64_t loader_threads = 0;    // 0: as many as threads
  int64_t cache_mib = 1024;      // decoded pictures kept in memory
  double classifier_rate = 0.1;  // of the online classifier that watches training, for 256 images; 0: none
  std::string init_from;         // file of weights, or run, that training starts from; empty: a new network
  PacingOptions pacing;

  bool operator==(const TrainOptions&) const = default;
};

// What the methods of TrainOptions have in common.
inline bool has_sigma(const std::string& method) {
  return method == "ncl" || method == "ncl-paper" || method == "nce" || method == "nsupcon";
}
inline bool is_cross_entropy(const std::string& method) { return method == "ce" || method == "nce"; }
inline bool is_supcon(const std::string& method) { return method == "supcon" || method == "nsupcon"; }
inline bool learns_from_labels(const std::string& method) { return is_cross_entropy(method) || is_supcon(method); }

// What is measured on held-out data at the ends of epochs, and when to warn.
struct EvalOptions {
  int64_t every = 1;    // epochs; 0: only after the last one
  int64_t size = 2000;  // held-out items looked at
  int64_t bank = 5000;  // training items that k-NN votes with
  int64_t k = 20;
  double dead_limit = 0.9;  // share of dead features from which a warning is given

  bool operator==(const EvalOptions&) const = default;
};

// Every setting is listed once; see orthant/core/fields.h.

template <class Options, class Visitor>
requires std::same_as<std::remove_const_t<Options>, DataChoice>
void for_each_field(Options& o, Visitor&& visit) {
  visit(Field{"source", "Data set, KIND[:PATH]"}, o.source);
  visit(Field{"split", "Part to learn from", {.choices = {"train", "test", "all"}}}, o.split);
  visit(Field{"eval_split", "Part that is held out", {.choices = {"train", "test", "all"}}}, o.eval_split);
  visit(Field{"train_size", "Items to learn from; 0: all", {.min = 0, .max = 1e12}}, o.train_size);
  visit(Field{"strict", "Refuse a folder with unreadable pictures"}, o.strict);
  visit(Field{"vector_noise", "Noise in views of vectors, relative to the data's deviation", {.min = 0, .max = 1e6}},
        o.vector_noise);
  visit(Field{"vector_dropout", "Share of elements set to their mean in views of vectors", {.min = 0, .max = 0.99}},
        o.vector_dropout);
  visit(Field{"text_view",
              "A view of a text: one of two halves of its words, all but some of them (dropout), or one of two "
              "neighbouring sentences",
              {.choices = {"none", "halves", "dropout", "sentences"}}},
        o.text_view);
  visit(Field{"text_dropout", "Share of the words left out of a view of a text", {.min = 0, .max = 0.99}},
        o.text_dropout);
  visit(Field{"positives",
              "What belongs together: views of an item, labels, nearest (neighbours of vectors), or a .npy of pairs; "
              "empty: the edges of a graph, else views"},
        o.positives);
  visit(Field{"neighbours", "Nearest neighbours of each vector that belong to it", {.min = 1, .max = 1000}},
        o.neighbours);
}

template <class Options, class Visitor>
requires std::same_as<std::remove_const_t<Options>, OptimiserOptions>
void for_each_field(Options& o, Visitor&& visit) {
  const Limits positive{.min = 0, .max = 1e6, .exclusive_min = true};
  const Limits not_negative{.min = 0, .max = 1e6};
  const Limits decay{.min = 0, .max = 0.9999999};
  visit(
      Field{"name", "Optimiser; of pictures that infonce compares muon", {.choices = {"lars", "sgd", "adamw", "muon"}}},
      o.name);
  visit(Field{"rate", "Learning rate for 256 images", positive}, o.rate);
  visit(Field{"weight_decay", "Weight decay", not_negative}, o.weight_decay);
  visit(Field{"momentum", "Momentum of lars, sgd and muon", decay}, o.momentum);
  visit(Field{"eta", "Step of lars relative to the size of the weights", positive}, o.eta);
  visit(Field{"clip_rate", "The local rate of lars never exceeds the global one"}, o.clip_rate);
  visit(Field{"exclude_vectors", "lars leaves biases and batch norm unscaled and undecayed"}, o.exclude_vectors);
  visit(Field{"beta1", "Decay of adamw's first moment", decay}, o.beta1);
  visit(Field{"beta2", "Decay of adamw's second moment", decay}, o.beta2);
  visit(Field{"epsilon", "Guard of adamw's division", positive}, o.epsilon);
  visit(Field{"warmup_epochs", "Epochs of linear warm-up", not_negative}, o.warmup_epochs);
  visit(Field{"warmup_start", "Learning rate of the first step, at any batch", not_negative}, o.warmup_start);
  visit(Field{"end_rate", "Learning rate for 256 images that the cosine approaches", not_negative}, o.end_rate);
}

template <class Options, class Visitor>
requires std::same_as<std::remove_const_t<Options>, TrainOptions>
void for_each_field(Options& o, Visitor&& visit) {
  const Limits count{.min = 0, .max = 1e9};
  visit(Field{"method",
              "cl, ncl, ncl-paper: contrastive; from labels ce, nce: cross entropy; supcon, nsupcon: supervised "
              "contrastive",
              {.choices = {"cl", "ncl", "ncl-paper", "ce", "nce", "supcon", "nsupcon"}}},
        o.method);
  visit(
      Field{"views", "Augmentation that [views] starts from", {.choices = {"simclr", "simclr-small", "weak", "none"}}},
      o.views);
  visit(Field{"epochs", "Passes over the data", {.min = 1, .max = 1e6}}, o.epochs);
  visit(Field{"batch", "Images in a batch, each with all its views", {.min = 2, .max = 1e6}}, o.batch);
  visit(Field{"view_count", "Views of every image", {.min = 1, .max = 64}}, o.view_count);
  visit(Field{"views_apart", "Batch norm sees each view on its own"}, o.views_apart);
  visit(Field{"norms_apart", "Batch norm sees the rows of one process at a time"}, o.norms_apart);
  visit(Field{"chunk", "Rows that go through the network at once; 0: all", count}, o.chunk);
  visit(Field{"precision",
              "Operands of products in training; bfloat16 needs AMX and is faster",
              {.choices = {"float32", "bfloat16"}}},
        o.precision);
  visit(Field{"activation_warmup", "Share of training over which sigma+ is blended in", {.min = 0, .max = 1}},
        o.activation_warmup);
  visit(Field{"seed", "Seed of weights, order and views", {.min = 0, .max = 9e15}}, o.seed);
  visit(Field{"threads", "Threads; 0: all", {.min = 0, .max = 4096}}, o.threads);
  visit(Field{"loader_threads", "Threads that make views; 0: as many as threads", {.min = 0, .max = 4096}},
        o.loader_threads);
  visit(Field{"cache_mib", "Memory for decoded pictures in MiB", {.min = 0, .max = 1e9}}, o.cache_mib);
  visit(Field{"classifier_rate", "Learning rate of the online classifier; 0: none", {.min = 0, .max = 1e6}},
        o.classifier_rate);
  visit(Field{"init_from", "Run or file of weights to start from"}, o.init_from);
  for_each_field(o.pacing, visit);
}

template <class Options, class Visitor>
requires std::same_as<std::remove_const_t<Options>, EvalOptions>
void for_each_field(Options& o, Visitor&& visit) {
  visit(Field{"every", "Epochs between two measurements; 0: only after the last", {.min = 0, .max = 1e9}}, o.every);
  visit(Field{"size", "Held-out items looked at", {.min = 2, .max = 1e9}}, o.size);
  visit(Field{"bank", "Training items that k-NN votes with", {.min = 1, .max = 1e9}}, o.bank);
  visit(Field{"k", "Neighbours that vote", {.min = 1, .max = 1e6}}, o.k);
  visit(Field{"dead_limit", "Share of dead features from which a warning is given", {.min = 0, .max = 1}},
        o.dead_limit);
}

}  // namespace orthant
