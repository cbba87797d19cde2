#pragma once

#include <cstdint>
#include <span>

#include "learn/loss/rows.h"
#include "orthant/core/share.h"

// InfoNCE of a batch of which every process has some images only: each computes the sums and the gradient of its own
// rows against all others. With what info_nce() (learn/loss/infonce.h) computes once for both sides of a pair computed
// on each side, so that nothing has to be added up between processes. Unit rows as there; nothing depends on `threads`.
namespace orthant::loss {

// What a row contributes to the gradients of others.
struct RowSums {
  double log_total = 0;     // log(P_i + N_i)
  double log_positive = 0;  // log P_i
  double loss = 0;
};

// A batch `all`, its unit rows [rows, dims], and those of them that are this process's: all views of the images `own`,
// view-major [views * own.count, dims].
struct SharedRows {
  Batch all;
  Share own;
  std::span<const float> unit;
  std::span<const float> own_unit;

  int64_t own_rows() const { return all.views * own.count; }
};

// Of this process's rows, [own_rows].
void shared_row_sums(const SharedRows& rows, double temperature, std::span<RowSums> sums, int threads);

// The derivative of the loss of the whole batch (the mean over all rows) with respect to this process's unit rows,
// [own_rows, dims], from the sums of all rows, [rows].
void shared_gradient(const SharedRows& rows, double temperature, std::span<const RowSums> sums,
                     std::span<float> gradient, int threads);

}  // namespace orthant::loss
