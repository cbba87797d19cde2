#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>

#include "orthant/data/dataset.h"
#include "orthant/run/recipe.h"

namespace orthant {

// The batches of a data set as one tower of several learns from it: full ones, in an order that is new in every epoch
// and a function of (recipe.train.seed, epoch) and the number of items, so that the feeds of towers with equally many
// items give the same items side by side. One thread at a time.
class Feed {
 public:
  virtual ~Feed() = default;

  // Batches in an epoch.
  virtual int64_t batches() const = 0;
  // Begins an epoch with its batch `first_batch`.
  virtual void start_epoch(int64_t epoch, int64_t first_batch) = 0;
  // The next batch as a network takes it, valid until the next call: pictures [B, C, H, W], vectors [B, D], texts as
  // ids [B, L]; undefined when there is none left. Throws what reading the items throws.
  virtual at::Tensor next() = 0;
  // Of the time since start_epoch(), the share that next() spent waiting.
  virtual double wait_share() const = 0;
};

// For the network that `model` describes. Of pictures and vectors, each item is one view, made as `recipe` says, whose
// number is `view`: towers that differ in it see other views of one item. Of an item's texts, one is drawn in every
// epoch. std::invalid_argument if there is not a single batch.
std::unique_ptr<Feed> make_feed(const Recipe& recipe, const ModelOptions& model, const DatasetPtr& data, int64_t view);

}  // namespace orthant
