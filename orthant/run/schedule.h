#pragma once

#include <cstdint>
#include <optional>

#include "orthant/run/train_options.h"

namespace orthant {

// The learning rate of every step: linear warm-up from `start` to `peak`, then half a cosine from `peak` to `end`.
//
//   step < warmup:  start + (peak - start) * step / warmup
//   otherwise:      end + (peak - end) * (1 + cos(pi * (step - warmup) / (total - warmup))) / 2
struct Schedule {
  double start = 3e-5;
  double peak = 0.4;
  double end = 0;
  int64_t warmup = 0;  // steps; a warm-up as long as the training never reaches the cosine
  int64_t total = 1;   // steps

  // For step 0 .. total - 1; beyond, the rate stays at `end`.
  double at(int64_t step) const;
};

// The rate that belongs to a batch: rates are given for 256 images and scale with the batch.
double scaled_rate(double rate, int64_t batch);

// Shortens a warm-up of more than a fifth of `epochs` to that fifth; a run that is mostly warm-up learns little.
// Returns what it was before, or nothing if it stays.
std::optional<double> clamp_warmup(OptimiserOptions& options, int64_t epochs);

// The schedule of `epochs` epochs of `batches` steps on `batch` images each. `rate` and `end_rate` scale with the
// batch, so that equal ones are a constant rate at any batch; `warmup_start` is taken as it is, as in the published
// code, where it stands for "almost zero", but never above the peak.
Schedule make_schedule(const OptimiserOptions& options, int64_t batch, int64_t batches, int64_t epochs);

}  // namespace orthant
