#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "learn/nn/model.h"
#include "orthant/core/matrix.h"
#include "orthant/data/loader.h"

namespace orthant {

// The views of a batch as `model` takes them: a tensor [V*B, C, H, W], or [V*B, D] for vectors, that borrows the
// loader's buffer and is valid as long as the batch; of texts their ids [V*B, L], see text_tensor().
at::Tensor batch_tensor(const Batch& batch, const ModelOptions& model);

// What a model makes of a whole data set.
struct Encoded {
  Matrix features;              // backbone [V*N, F]; empty unless wanted
  Matrix z;                     // sigma+(projector) [V*N, K]; empty unless wanted
  std::vector<int64_t> labels;  // [N]
};

struct EncodeOptions {
  bool features = true;
  bool z = true;
  std::function<void(int64_t items)> progress = {};  // items done so far; what it throws ends the work
};

// Runs one epoch (number 0) of `loader`, which must neither shuffle nor drop, through the model in evaluation mode
// without gradients. Row v*N + i is view v of item i.
Encoded encode(Model& model, Loader& loader, int64_t items, const EncodeOptions& options = {});

// What the model makes of the rows of one batch, [rows, D], handed over as it is made.
using RowSink = std::function<void(std::span<const float> values, int64_t rows)>;

// Runs `batches` batches of epoch 0 of `loader`, beginning with `first_batch`, as encode() does, and hands each on
// instead of keeping it: rows of view 0 of the batch's items, then those of view 1, ... `z`: sigma+(projector),
// otherwise the backbone's features. `progress` is told items done here.
void encode_batches(Model& model, Loader& loader, int64_t first_batch, int64_t batches, bool z, const RowSink& sink,
                    const std::function<void(int64_t items)>& progress = {});

// The same of texts, `batch` of them at once.
void encode_text_batches(Model& model, std::span<const std::string> texts, int64_t batch, bool z, const RowSink& sink,
                         const std::function<void(int64_t texts)>& progress = {});

// The texts of a data set, item after item: the first of each, or all of them.
struct ItemTexts {
  std::vector<std::string> texts;
  std::vector<int64_t> items;  // which item each is of
};
ItemTexts item_texts(const Dataset& data, bool all);

// encode() of texts, `batch` of them at once; no labels.
Encoded encode_texts(Model& model, std::span<const std::string> texts, int64_t batch,
                     const EncodeOptions& options = {});

// Pictures as the model's preprocessing says, without augmentation, in order; vectors as they are; of texts an item's
// first.
ViewOptions plain_views(const Preprocessing& preprocessing);
LoaderOptions plain_loader(int64_t items, int64_t batch, int threads);

}  // namespace orthant
