#pragma once

#include <array>
#include <cstddef>

#include "orthant/corrupt/corrupt.h"

namespace orthant::corrupt {

// The parameters of a corruption, by severity.
template <class T>
using Severities = std::array<T, kSeverities>;

template <class T>
const T& at(const Severities<T>& parameters, int severity) {
  return parameters[static_cast<size_t>(severity - 1)];
}

}  // namespace orthant::corrupt
