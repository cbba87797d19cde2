#include "orthant/heat/overlay.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "orthant/core/error.h"

namespace orthant::heat {
namespace {

constexpr int64_t kLeastSide = 96;
constexpr float kMostColour = 0.8F;  // so that the picture is seen through the strongest part
constexpr float kFaded = 0.75F;      // of the picture's own colour that goes
constexpr float kUnseen = 0.4F;
constexpr std::array<float, 3> kAdds = {226, 32, 26};
constexpr std::array<float, 3> kTakes = {30, 90, 226};

// The map at a place in cells, (0, 0) being the middle of the first, linearly between the four middles around it.
float between(std::span<const float> map, int64_t rows, int64_t cols, float row, float col) {
  row = std::clamp(row, 0.0F, static_cast<float>(rows - 1));
  col = std::clamp(col, 0.0F, static_cast<float>(cols - 1));
  const auto r = static_cast<int64_t>(row);
  const auto c = static_cast<int64_t>(col);
  const int64_t below = std::min(r + 1, rows - 1);
  const int64_t right = std::min(c + 1, cols - 1);
  const float down = row - static_cast<float>(r);
  const float across = col - static_cast<float>(c);
  const auto at = [&](int64_t y, int64_t x) { return map[static_cast<size_t>(y * cols + x)]; };
  const float upper = at(r, c) + (at(r, right) - at(r, c)) * across;
  const float lower = at(below, c) + (at(below, right) - at(below, c)) * across;
  return upper + (lower - upper) * down;
}

uint8_t byte(float x) { return static_cast<uint8_t>(std::clamp(x, 0.0F, 255.0F) + 0.5F); }

}  // namespace

float largest_part(std::span<const float> map) {
  float most = 1e-12F;
  for (const float part : map) most = std::max(most, std::abs(part));
  return most;
}

float strong_part(std::span<const float> map) {
  std::vector<float> sizes;
  for (const float part : map) sizes.push_back(std::abs(part));
  if (sizes.empty()) return largest_part(map);
  const auto at = sizes.begin() + std::ssize(sizes) * 15 / 1000;
  std::ranges::nth_element(sizes, at, std::greater());
  return *at > 0 ? *at : largest_part(map);
}

Image overlay(const Image& picture, const HeatMaps& maps, std::span<const float> map, float largest) {
  check(picture.height > 0 && picture.width > 0, "[heat map] expected a picture with pixels, got none");
  check(std::ssize(map) == maps.rows * maps.cols && !map.empty() && largest > 0, "[heat map] expected a map of ",
        maps.rows, " x ", maps.cols, " cells, got ", map.size());
  const int64_t longer = std::max(picture.height, picture.width);
  const int64_t times = longer < kLeastSide ? (kLeastSide + longer - 1) / longer : 1;
  Image out(picture.height * times, picture.width * times, 3);
  for (int64_t y = 0; y < out.height; ++y) {
    for (int64_t x = 0; x < out.width; ++x) {
      const auto from = picture.at(y / times, x / times);
      const auto to = out.at(y, x);
      const bool grey = from.size() == 1;
      const std::array<float, 3> rgb = {static_cast<float>(from[0]), static_cast<float>(from[grey ? 0 : 1]),
                                        static_cast<float>(from[grey ? 0 : 2])};
      const float light = 0.299F * rgb[0] + 0.587F * rgb[1] + 0.114F * rgb[2];
      const float v =
          ((static_cast<float>(y) + 0.5F) / static_cast<float>(out.height) - maps.box.top) / maps.box.height;
      const float u = ((static_cast<float>(x) + 0.5F) / static_cast<float>(out.width) - maps.box.left) / maps.box.width;
      const bool seen = u >= 0 && u <= 1 && v >= 0 && v <= 1;
      const float part = seen ? between(map, maps.rows, maps.cols, v * static_cast<float>(maps.rows) - 0.5F,
                                        u * static_cast<float>(maps.cols) - 0.5F) /
                                    largest
                              : 0;
      const float strength = kMostColour * std::min(std::abs(part), 1.0F);
      for (size_t c = 0; c < 3; ++c) {
        const float own = seen ? rgb[c] + (light - rgb[c]) * kFaded : rgb[c] * kUnseen;
        to[c] = byte(own + ((part < 0 ? kTakes : kAdds)[c] - own) * strength);
      }
    }
  }
  return out;
}

}  // namespace orthant::heat
