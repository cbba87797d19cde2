#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "learn/nn/model.h"
#include "orthant/core/embeddings.h"
#include "orthant/data/dataset.h"
#include "orthant/shards/spool.h"
#include "orthant/text/text_view.h"
#include "orthant/views/options.h"

namespace orthant {

// How random views of items are made, whatever they are.
struct Augmentation {
  ViewOptions pictures = {};
  double vector_noise = 0;  // see LoaderOptions
  double vector_dropout = 0;
  TextViewOptions texts = {};
};

struct EmbedOptions {
  std::string layer = "projector";  // "projector": sigma+ of its output; "backbone": the features before it
  int64_t batch = 256;
  bool all_texts = false;  // of texts: a row for each of an item's texts, instead of the first alone
  int threads = 0;
  // Without it every item is one row, prepared as the model says. With it every item is `views` random views, made as
  // `augmentation` says: row v*N + i is view v of item i, whose id is the item's with "#v" behind it.
  std::optional<Augmentation> augmentation = {};
  int64_t views = 1;
  uint64_t seed = 0;  // of the random views
  // One of several processes that embed a range of the data set each; see shards::share_of(). merge_parts() puts what
  // they made together: the same, to the bit, as one process makes with as many threads.
  int64_t rank = 0;
  int64_t ranks = 1;
  shards::SpoolOptions spool = {};                   // where features go that are larger than memory
  std::function<void(int64_t items)> progress = {};  // items done so far; what it throws ends the work
};

// std::invalid_argument that begins with [where] if the data does not go with the model: vectors instead of pictures,
// texts instead of either, or vectors of another length. Pictures of any size and number of channels go with any model
// of pictures.
void check_data(const Model& model, const Dataset& data, const std::string& where);

// The features that `model` gives a data set, with its labels, factors and ids, and how they were made. Rows of texts
// of one item share its id. Sparse if that takes less memory than dense; features beyond `spool.memory` are in a
// temporary file, so that memory grows by what is kept of an item (label, factors, id) alone. std::invalid_argument for
// another layer, or data that does not go with the model.
Embeddings embed(Model& model, const DatasetPtr& data, const EmbedOptions& options = {});

}  // namespace orthant
