#include "orthant/corrupt/pattern.h"

#include <bit>
#include <cmath>
#include <numbers>

#include "orthant/corrupt/filter.h"

namespace orthant::corrupt {
namespace {

void stretch(std::span<float> values) {
  const auto [low, high] = std::ranges::minmax(values);
  const float range = high - low;
  for (float& value : values) value = range > 0 ? (value - low) / range : 0.0F;
}

// One needle and, recursively, its branches at 60 degrees. Where needles cross, the brightest counts.
struct Needle {
  double y, x, angle, length, brightness;
  int branchings;
};

void draw(Canvas& layer, const Needle& needle, double scale, Rng& rng) {
  const double dy = std::sin(needle.angle);
  const double dx = std::cos(needle.angle);
  for (double t = 0; t < needle.length; t += 0.5) {
    const auto y = static_cast<int64_t>(std::floor(needle.y + t * dy));
    const auto x = static_cast<int64_t>(std::floor(needle.x + t * dx));
    if (y < 0 || x < 0 || y >= layer.height || x >= layer.width) continue;
    float& pixel = layer.row(0, y)[x];
    pixel = std::max(pixel, static_cast<float>(needle.brightness * (1 - 0.5 * t / needle.length)));
  }
  if (needle.branchings == 0) return;
  for (double t = 2 * scale; t < needle.length; t += rng.uniform(2, 4) * scale) {
    for (const double side : {-1.0, 1.0}) {
      draw(layer,
           {needle.y + t * dy, needle.x + t * dx, needle.angle + side * std::numbers::pi / 3,
            (needle.length - t) * rng.uniform(0.3, 0.6), needle.brightness * 0.85, needle.branchings - 1},
           scale, rng);
    }
  }
}

}  // namespace

Canvas plasma(int64_t height, int64_t width, double decay, Rng& rng) {
  const auto side = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(std::max(height, width))));
  std::vector<float> map(static_cast<size_t>(side * side));
  const auto at = [&](int64_t y, int64_t x) -> float& {
    return map[static_cast<size_t>((y & (side - 1)) * side + (x & (side - 1)))];
  };
  double amplitude = 1;
  for (int64_t step = side; step >= 2; step /= 2) {
    const int64_t half = step / 2;
    const auto noise = [&] { return static_cast<float>(amplitude * rng.uniform(-1, 1)); };
    for (int64_t y = half; y < side; y += step) {
      for (int64_t x = half; x < side; x += step) {
        at(y, x) =
            (at(y - half, x - half) + at(y - half, x + half) + at(y + half, x - half) + at(y + half, x + half)) / 4 +
            noise();
      }
    }
    for (int64_t y = 0; y < side; y += half) {
      for (int64_t x = (y + half) % step; x < side; x += step) {
        at(y, x) = (at(y - half, x) + at(y + half, x) + at(y, x - half) + at(y, x + half)) / 4 + noise();
      }
    }
    amplitude /= decay * decay;
  }
  stretch(map);
  Canvas layer(height, width, 1);
  for (int64_t y = 0; y < height; ++y) std::copy_n(map.data() + y * side, width, layer.row(0, y));
  return layer;
}

Canvas value_noise(int64_t height, int64_t width, double cell_height, double cell_width, Rng& rng) {
  const auto rows = static_cast<int64_t>(static_cast<double>(height) / cell_height) + 2;
  const auto columns = static_cast<int64_t>(static_cast<double>(width) / cell_width) + 2;
  std::vector<float> lattice(static_cast<size_t>(rows * columns));
  for (float& value : lattice) value = static_cast<float>(rng.uniform());
  Canvas layer(height, width, 1);
  for (int64_t y = 0; y < height; ++y) {
    for (int64_t x = 0; x < width; ++x) {
      layer.row(0, y)[x] = sample(lattice, rows, columns, static_cast<double>(y) / cell_height,
                                  static_cast<double>(x) / cell_width, Border::nearest);
    }
  }
  return layer;
}

Canvas ice(int64_t height, int64_t width, double scale, Rng& rng) {
  Canvas needles(height, width, 1);
  const auto down = static_cast<double>(height);
  const auto right = static_cast<double>(width);
  const int corner = static_cast<int>(rng.below(4));
  for (int k = 0; k < 5; ++k) {
    const bool from_corner = k < 3;
    const double y = from_corner ? (corner < 2 ? 0 : down) + rng.uniform(-0.3, 0.3) * down : rng.uniform(0, down);
    const double x =
        from_corner ? (corner % 2 == 0 ? 0 : right) + rng.uniform(-0.3, 0.3) * right : rng.uniform(0, right);
    const double turn = rng.uniform(0, 2 * std::numbers::pi);
    for (int arm = 0; arm < 6; ++arm) {
      draw(needles,
           {y, x, turn + arm * std::numbers::pi / 3, rng.uniform(8, from_corner ? 18 : 12) * scale,
            rng.uniform(0.75, 1), 1},
           scale, rng);
    }
  }
  gaussian(needles, 0.45 * scale, std::max<int64_t>(1, std::llround(1.5 * scale)), Border::nearest);
  const Canvas haze = plasma(height, width, 1.8, rng);
  for (size_t i = 0; i < needles.values.size(); ++i) {
    needles.values[i] = std::min(1.0F, 0.5F * haze.values[i] + 0.8F * needles.values[i]);
  }
  return needles;
}

}  // namespace orthant::corrupt
