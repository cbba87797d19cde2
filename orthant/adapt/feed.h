#pragma once

#include <cstdint>
#include <vector>

#include "orthant/adapt/adapter.h"
#include "orthant/adapt/learner.h"
#include "orthant/adapt/material.h"
#include "orthant/adapt/row_order.h"

namespace orthant::adapt {

// The batches of every epoch, prepared. Vectors that fit into train.memory_mib are held in memory; of others a window
// of at most 256 MiB is (see RowOrder). A batch is a function of the recipe, the vectors, its epoch and its number.
class Feed {
 public:
  // All are borrowed. The adapter says how rows are prepared; what it learns does not matter.
  Feed(const AdaptRecipe& recipe, const Material& material, const Adapter& adapter);

  int64_t batches() const;               // of an epoch; rows that do not fill one are left for another epoch
  bool whole() const { return whole_; }  // all vectors are held at once

  // The next batch is number `batch` of `epoch`.
  void begin(int64_t epoch, int64_t batch);

  // False when the epoch is over. What the batch borrows lives until the next call.
  bool next(Batch& batch);

 private:
  void open_window(int64_t window);
  void prepare_row(size_t at, int64_t row, int64_t slot, bool second);
  void add_partner(size_t at, int64_t row, int64_t slot);

  const AdaptRecipe& recipe_;
  const Material& material_;
  const Adapter& adapter_;
  RowOrder order_;
  bool whole_;  // one window holds all rows, which stay
  int64_t epoch_ = 0;
  int64_t batch_ = 0;
  int64_t window_ = -1;
  size_t taken_ = 0;  // of the places
  std::vector<RowOrder::Place> places_;
  std::vector<float> held_;    // rows of the window [slots, D]
  std::vector<float> held_b_;  // of the second tower
  // Of the batch.
  Floats x_;
  std::vector<float> counts_;
  std::vector<int64_t> classes_;
  std::vector<int32_t> partners_;
  std::vector<uint8_t> sides_;
};

}  // namespace orthant::adapt
