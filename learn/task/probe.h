#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "orthant/core/embeddings.h"
#include "orthant/fit/logistic.h"
#include "orthant/run/supervised_options.h"

namespace orthant {

// The linear classifier of the features [N, D] of a frozen encoder: the minimum of fit::fit_logistic() with the
// penalty options.l2, or with the best of a grid of penalties on a held-out tenth of the rows of each class that `seed`
// chooses, fitted again to all rows. `labels` are [N]. What `progress` throws ends the work. std::invalid_argument as
// fit_logistic().
fit::LogisticModel fit_probe(const Embeddings& features, std::span<const int64_t> labels,
                             const SupervisedOptions& options, uint64_t seed,
                             const std::function<void(const fit::FitProgress&)>& progress = {});

}  // namespace orthant
