#pragma once

#include <string>

#include "orthant/core/matrix.h"
#include "orthant/io/npz.h"

namespace orthant::factorize {

// An array of golden/theory/nmf.npz, which make_nmf.py beside it writes; a vector becomes one column.
inline Matrix64 golden(const std::string& name) {
  const io::Array array = io::Npz::open(ORTHANT_GOLDEN_DIR "/theory/nmf.npz").read(name);
  const auto values = array.as<double>();
  return {array.shape[0], array.shape.size() > 1 ? array.shape[1] : 1, {values.begin(), values.end()}};
}

}  // namespace orthant::factorize
