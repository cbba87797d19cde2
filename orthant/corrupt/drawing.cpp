#include "orthant/corrupt/drawing.h"

#include <cmath>

#include "orthant/corrupt/filter.h"
#include "orthant/corrupt/severities.h"

namespace orthant::corrupt {
namespace {

struct Sketch {
  float shading;    // how dark black is between the lines
  float threshold;  // of the strongest edges; what is weaker is not drawn
};

constexpr Severities<Sketch> kSketch = {{{0.7F, 0.05F}, {0.5F, 0.1F}, {0.3F, 0.15F}, {0.12F, 0.25F}, {0, 0.35F}}};
constexpr double kSmoothing = 0.6;  // pixels
constexpr double kStrong = 0.95;    // the quantile of edges that is drawn black

// The length of the gradient after Sobel.
Canvas edges(const Canvas& grey) {
  Canvas strength(grey.height, grey.width, 1);
  for (int64_t y = 0; y < grey.height; ++y) {
    const float* above = grey.row(0, std::max<int64_t>(y - 1, 0));
    const float* here = grey.row(0, y);
    const float* below = grey.row(0, std::min(y + 1, grey.height - 1));
    for (int64_t x = 0; x < grey.width; ++x) {
      const int64_t left = std::max<int64_t>(x - 1, 0);
      const int64_t right = std::min(x + 1, grey.width - 1);
      const float across = above[right] + 2 * here[right] + below[right] - above[left] - 2 * here[left] - below[left];
      const float down = below[left] + 2 * below[x] + below[right] - above[left] - 2 * above[x] - above[right];
      strength.row(0, y)[x] = std::sqrt(across * across + down * down);
    }
  }
  return strength;
}

float quantile(std::vector<float> values, double q) {
  const auto k = static_cast<int64_t>(q * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, values.begin() + k);
  return values[static_cast<size_t>(k)];
}

}  // namespace

void sketch(Canvas& picture, int severity, Rng&) {
  const Sketch& parameters = at(kSketch, severity);
  Canvas grey = luminance(picture);
  const double sigma = kSmoothing * picture.scale();
  gaussian(grey, sigma, static_cast<int64_t>(4 * sigma + 0.5), Border::nearest);
  const Canvas strength = edges(grey);
  // Edges that no one would see, such as rounding in a plain picture, are not stretched to lines.
  const float black = std::max(quantile(strength.values, kStrong), 8.0F);
  for (size_t i = 0; i < grey.values.size(); ++i) {
    const float line =
        std::clamp((strength.values[i] / black - parameters.threshold) / (1 - parameters.threshold), 0.0F, 1.0F);
    const float paper = 255 - parameters.shading * (255 - grey.values[i]);
    for (int64_t c = 0; c < picture.channels; ++c) picture.plane(c)[i] = paper * (1 - line * line);
  }
}

}  // namespace orthant::corrupt
