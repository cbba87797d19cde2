#pragma once

#include <cstdint>
#include <span>

#include "learn/train/supervised_options.h"
#include "orthant/core/embeddings.h"
#include "orthant/measure/logistic.h"

namespace orthant {

// The linear classifier of the features [N, D] of a frozen encoder: the minimum of measure::fit_logistic() with the
// penalty options.l2, or with the best of a grid of penalties on a held-out tenth of the rows of each class that `seed`
// chooses, fitted again to all rows. `labels` are [N]. std::invalid_argument as fit_logistic().
measure::LogisticModel fit_probe(const Embeddings& features, std::span<const int64_t> labels,
                                 const SupervisedOptions& options, uint64_t seed);

}  // namespace orthant
