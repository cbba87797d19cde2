#pragma once

#include <cmath>
#include <string>

#include "orthant/core/image.h"
#include "orthant/corrupt/corrupt.h"

namespace orthant::test {

// Smooth light with a few hard edges, different for each `variant`: what a corruption meets in a photograph.
inline Image scene(int64_t height, int64_t width, int64_t channels, int variant = 0) {
  Image image(height, width, channels);
  for (int64_t y = 0; y < height; ++y) {
    for (int64_t x = 0; x < width; ++x) {
      const double u = static_cast<double>(x) / 32 + 0.3 * variant;
      const double v = static_cast<double>(y) / 32 - 0.2 * variant;
      for (int64_t c = 0; c < channels; ++c) {
        const auto phase = static_cast<double>(c);
        double level = 120 + 50 * std::sin(5 * u + 3 * v + phase);
        if (std::fmod(std::abs(7 * u + 2 * v), 2.0) < 0.6) level = 60 + 50 * phase;
        image.at(y, x)[static_cast<size_t>(c)] = static_cast<uint8_t>(level);
      }
    }
  }
  return image;
}

inline double mean(const Image& image) {
  double sum = 0;
  for (const uint8_t level : image.pixels) sum += level;
  return sum / static_cast<double>(image.pixels.size());
}

inline double mean_squared_difference(const Image& a, const Image& b) {
  double sum = 0;
  for (size_t i = 0; i < a.pixels.size(); ++i) sum += std::pow(a.pixels[i] - b.pixels[i], 2);
  return sum / static_cast<double>(a.pixels.size());
}

// `image` as item `item` of a data set with seed 0.
inline Image corrupted(const Image& image, const std::string& what, int64_t item = 0) {
  const corrupt::Corruption corruption = corrupt::parse(what);
  return corrupt::apply(image, corruption, corrupt::stream(corruption, 0, item));
}

}  // namespace orthant::test
