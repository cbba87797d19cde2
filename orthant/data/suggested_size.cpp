#include "orthant/data/suggested_size.h"

#include <algorithm>
#include <vector>

#include "orthant/core/error.h"

namespace orthant {
namespace {

std::vector<int64_t> shorter_sides(const Dataset& dataset) {
  const DatasetInfo& info = dataset.info();
  if (info.height > 0 && info.width > 0) return {std::min(info.height, info.width)};
  constexpr int64_t kSample = 64;
  constexpr int64_t kView = 32;  // a picture for this is large enough to tell apart all that is told apart
  const int64_t count = std::min(dataset.size(), kSample);
  std::vector<int64_t> sides;
  for (int64_t k = 0; k < count; ++k) {
    try {
      const Image image = dataset.image_for(k * dataset.size() / count, kView);
      sides.push_back(std::min(image.height, image.width));
    } catch (const IoError&) {
      continue;
    }
  }
  return sides;
}

}  // namespace

int64_t suggested_image_size(const Dataset& dataset) {
  check(dataset.info().dims == 0, "[", dataset.info().name, "] expected pictures to choose a size for, got vectors");
  const DatasetInfo& info = dataset.info();
  if (info.height == info.width && info.height >= 8 && info.height <= 128) return info.height;
  std::vector<int64_t> sides = shorter_sides(dataset);
  if (sides.empty()) return 32;
  const auto middle = sides.begin() + static_cast<ptrdiff_t>((sides.size() - 1) / 2);
  std::ranges::nth_element(sides, middle);
  return *middle <= 40 ? 32 : *middle <= 80 ? 64 : *middle <= 112 ? 96 : 128;
}

}  // namespace orthant
