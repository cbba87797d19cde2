#pragma once

#include <cstdint>
#include <span>

#include "orthant/adapt/adapter.h"

namespace orthant::select {

// The adapter with only these of its features, in this order, which come out of it as they did before.
// std::invalid_argument, which begins with [where], of the gate topk, where a feature is on or off by the ones that
// would be left out, and for a feature that it does not have.
adapt::Adapter shortened_adapter(const adapt::Adapter& adapter, std::span<const int64_t> features,
                                 const std::string& where);

}  // namespace orthant::select
