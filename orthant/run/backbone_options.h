#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>

#include "orthant/core/fields.h"

namespace orthant {

// Which encoder. Fields that a backbone does not have are ignored by it.
struct BackboneOptions {
  // resnet18, resnet34, resnet50  as torchvision's, without the classifier
  // conv-mini                     made for CPUs; see docs/networks.md
  // vit-tiny                      patches, 12 pre-norm layers of 192 with 3 heads
  // mlp                           for vectors
  // table                         for nodes of a graph without features: a free vector each
  // text-bag                      for texts: mean of the vectors of words and n-grams, then an mlp; see docs/text.md
  // text-transformer              for texts: pre-norm layers over the words
  std::string name = "conv-mini";

  // ResNets. "small": 3x3, stride 1, no max-pool; "imagenet": 7x7, stride 2, max-pool.
  std::string stem = "small";
  int64_t stem_padding = 1;  // of the small stem; the official code of the paper pads by 2

  int64_t channels = 3;     // of the images
  int64_t image_size = 32;  // height and width; only vit-tiny needs to know
  int64_t width = 64;       // of conv-mini's first stage
  int64_t patch = 4;        // of vit-tiny, in pixels

  // Of the vectors that enter an mlp; must be given for it. Of the vectors of words in a text network; 0: 128. Of a
  // table: its rows; must be given.
  int64_t dims = 0;
  int64_t hidden = 512;  // width of the layers of mlp and text-bag, or of a table: their number of features
  int64_t depth = 2;     // layers of mlp and text-bag
  int64_t layers = 4;    // of text-transformer
  int64_t heads = 4;     // of each of them
  // mlp: its input is scaled to mean 0 and deviation 1 in every element, as the training data had them.
  bool standardise = false;

  bool operator==(const BackboneOptions&) const = default;
};

// Whether the features that it gives end in a ReLU, so that they are never negative.
inline bool ends_in_relu(const BackboneOptions& backbone) {
  return backbone.name == "conv-mini" || backbone.name == "mlp" || backbone.name.starts_with("resnet");
}

// Lists every setting once; see orthant/core/fields.h.
template <class Options, class Visitor>
requires std::same_as<std::remove_const_t<Options>, BackboneOptions>
void for_each_field(Options& o, Visitor&& visit) {
  const Limits positive{.min = 1, .max = 1 << 20};
  visit(Field{"name",
              "Network",
              {.choices = {"resnet18", "resnet34", "resnet50", "conv-mini", "vit-tiny", "mlp", "table", "text-bag",
                           "text-transformer"}}},
        o.name);
  visit(Field{"stem", "First layers of a ResNet", {.choices = {"small", "imagenet"}}}, o.stem);
  visit(Field{"stem_padding", "Padding of a ResNet's small stem", {.min = 0, .max = 2}}, o.stem_padding);
  visit(Field{"channels", "Channels of the images", {.min = 1, .max = 64}}, o.channels);
  visit(Field{"image_size", "Height and width of the images", {.min = 1, .max = 4096}}, o.image_size);
  visit(Field{"width", "Channels of conv-mini's first stage, a multiple of 8", {.min = 8, .max = 1024}}, o.width);
  visit(Field{"patch", "Height and width of vit-tiny's patches", {.min = 1, .max = 64}}, o.patch);
  visit(
      Field{"dims",
            "Length of the vectors that enter an mlp, or of words' vectors in a text network (0: 128); rows of a table",
            {.min = 0, .max = 1 << 24}},
      o.dims);
  visit(Field{"hidden", "Width of the layers of mlp and text-bag, and of a table", positive}, o.hidden);
  visit(Field{"depth", "Layers of mlp and text-bag", {.min = 1, .max = 100}}, o.depth);
  visit(Field{"layers", "Layers of text-transformer", {.min = 1, .max = 100}}, o.layers);
  visit(Field{"heads", "Attention heads of text-transformer", {.min = 1, .max = 64}}, o.heads);
  visit(Field{"standardise", "An mlp scales its input as the training data had it"}, o.standardise);
}

}  // namespace orthant
