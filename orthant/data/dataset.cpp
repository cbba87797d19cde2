#include "orthant/data/dataset.h"

#include "orthant/core/error.h"

namespace orthant {

Image Dataset::image(int64_t) const {
  check(false, "[", info().name, "] expected a data set of images, got vectors of ", info().dims, " dimensions");
  return {};
}

std::span<const float> Dataset::vector(int64_t) const {
  check(false, "[", info().name, "] expected a data set of vectors, got images");
  return {};
}

int64_t Dataset::label(int64_t) const { return -1; }

void Dataset::factors(int64_t, std::span<int32_t>) const {}

std::string Dataset::id(int64_t i) const { return std::to_string(i); }

}  // namespace orthant
