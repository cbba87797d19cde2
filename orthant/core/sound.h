#pragma once

#include <cstdint>
#include <vector>

namespace orthant {

// A sound of one channel: samples, most often from -1 to 1, all finite.
struct Sound {
  int64_t rate = 0;  // samples per second
  std::vector<float> samples;

  double seconds() const { return rate > 0 ? static_cast<double>(samples.size()) / static_cast<double>(rate) : 0; }

  bool operator==(const Sound&) const = default;
};

}  // namespace orthant
