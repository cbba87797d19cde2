#include "orthant/corrupt/digital.h"

#include <array>
#include <cmath>

#include "orthant/corrupt/filter.h"
#include "orthant/corrupt/severities.h"
#include "orthant/io/image_file.h"

namespace orthant::corrupt {
namespace {

struct Elastic {
  double strength, smoothness, affine;  // in sides of the picture
};

constexpr Severities<Elastic> kElastic = {
    {{0, 0, 0.08}, {0.05, 0.2, 0.07}, {0.08, 0.06, 0.06}, {0.1, 0.04, 0.05}, {0.1, 0.03, 0.03}}};
constexpr Severities<double> kPixelate = {0.95, 0.9, 0.85, 0.75, 0.65};
constexpr Severities<int> kJpeg = {80, 65, 58, 50, 40};

struct Point {
  double y = 0, x = 0;
};

// Where the pixels of the warped picture come from: at + y * down + x * right.
struct Affine {
  Point at, down, right;
};

// Three corners of a square in the middle, each moved at random by up to `reach` along both axes, go back to where they
// were.
Affine random_affine(const Canvas& picture, double reach, Rng& rng) {
  const auto side = static_cast<double>(std::min(picture.height, picture.width) / 3);
  const auto cy = static_cast<double>(picture.height / 2);
  const auto cx = static_cast<double>(picture.width / 2);
  const std::array<Point, 3> to = {{{cy + side, cx + side}, {cy - side, cx + side}, {cy - side, cx - side}}};
  std::array<Point, 3> from = to;
  for (Point& point : from) {
    point.x += rng.uniform(-reach, reach);
    point.y += rng.uniform(-reach, reach);
  }
  const Point u{from[1].y - from[0].y, from[1].x - from[0].x};
  const Point v{from[2].y - from[0].y, from[2].x - from[0].x};
  const double determinant = u.y * v.x - u.x * v.y;
  if (std::abs(determinant) < 1e-6) return {{0, 0}, {1, 0}, {0, 1}};
  const Point tu{to[1].y - to[0].y, to[1].x - to[0].x};
  const Point tv{to[2].y - to[0].y, to[2].x - to[0].x};
  const Point down{(tu.y * v.x - tv.y * u.x) / determinant, (tu.x * v.x - tv.x * u.x) / determinant};
  const Point right{(tv.y * u.y - tu.y * v.y) / determinant, (tv.x * u.y - tu.x * v.y) / determinant};
  return {{to[0].y - from[0].y * down.y - from[0].x * right.y, to[0].x - from[0].y * down.x - from[0].x * right.x},
          down,
          right};
}

Canvas displacement(const Canvas& picture, double strength, double sigma, Rng& rng) {
  Canvas field(picture.height, picture.width, 1);
  for (float& value : field.values) value = static_cast<float>(rng.uniform(-1, 1));
  gaussian(field, sigma, static_cast<int64_t>(3 * sigma + 0.5), Border::reflect);
  for (float& value : field.values) value *= static_cast<float>(strength);
  return field;
}

template <class Place>
Canvas warp(const Canvas& picture, Border border, const Place& place) {
  Canvas warped(picture.height, picture.width, picture.channels);
  for (int64_t y = 0; y < picture.height; ++y) {
    for (int64_t x = 0; x < picture.width; ++x) {
      const Point from = place(y, x);
      for (int64_t c = 0; c < picture.channels; ++c) {
        warped.row(c, y)[x] = sample(picture.plane(c), picture.height, picture.width, from.y, from.x, border);
      }
    }
  }
  return warped;
}

// For each output the first input pixel and the number of them whose mean it is: those whose centre lies within the
// output's interval, as Pillow's box filter takes them.
struct Run {
  int64_t first = 0;
  int64_t count = 0;
};

std::vector<Run> box_runs(int64_t from, int64_t to) {
  const double ratio = static_cast<double>(from) / static_cast<double>(to);
  const double support = std::max(ratio, 1.0) / 2;
  std::vector<Run> runs;
  for (int64_t i = 0; i < to; ++i) {
    const double centre = (static_cast<double>(i) + 0.5) * ratio;
    Run run;
    for (auto k = std::max<int64_t>(0, static_cast<int64_t>(centre - support) - 1);
         k < from && static_cast<double>(k) + 0.5 - centre <= support; ++k) {
      if (static_cast<double>(k) + 0.5 - centre <= -support) continue;
      if (run.count == 0) run.first = k;
      ++run.count;
    }
    runs.push_back(run);
  }
  return runs;
}

// Horizontally first, then vertically, with whole levels in between.
Canvas box_resize(const Canvas& picture, int64_t height, int64_t width) {
  const auto mean = [](const Run& run, const auto& level) {
    float sum = 0;
    for (int64_t k = run.first; k < run.first + run.count; ++k) sum += level(k);
    return std::floor(sum / static_cast<float>(run.count) + 0.5F);
  };
  const std::vector<Run> columns = box_runs(picture.width, width);
  const std::vector<Run> rows = box_runs(picture.height, height);
  Canvas narrow(picture.height, width, picture.channels);
  Canvas resized(height, width, picture.channels);
  for (int64_t c = 0; c < picture.channels; ++c) {
    for (int64_t y = 0; y < picture.height; ++y) {
      const float* from = picture.row(c, y);
      for (int64_t x = 0; x < width; ++x) {
        narrow.row(c, y)[x] = mean(columns[static_cast<size_t>(x)], [&](int64_t k) { return from[k]; });
      }
    }
    for (int64_t y = 0; y < height; ++y) {
      for (int64_t x = 0; x < width; ++x) {
        resized.row(c, y)[x] = mean(rows[static_cast<size_t>(y)], [&](int64_t k) { return narrow.row(c, k)[x]; });
      }
    }
  }
  return resized;
}

}  // namespace

void elastic(Canvas& picture, int severity, Rng& rng) {
  const Elastic& parameters = at(kElastic, severity);
  const auto side = static_cast<double>(std::min(picture.height, picture.width));
  const Affine affine = random_affine(picture, parameters.affine * side, rng);
  picture = warp(picture, Border::mirror, [&](int64_t row, int64_t column) {
    const auto y = static_cast<double>(row);
    const auto x = static_cast<double>(column);
    return Point{affine.at.y + y * affine.down.y + x * affine.right.y,
                 affine.at.x + y * affine.down.x + x * affine.right.x};
  });
  if (parameters.strength == 0) return;
  const Canvas dx = displacement(picture, parameters.strength * side, parameters.smoothness * side, rng);
  const Canvas dy = displacement(picture, parameters.strength * side, parameters.smoothness * side, rng);
  picture = warp(picture, Border::reflect, [&](int64_t y, int64_t x) {
    return Point{static_cast<double>(y) + static_cast<double>(dy.row(0, y)[x]),
                 static_cast<double>(x) + static_cast<double>(dx.row(0, y)[x])};
  });
}

void pixelate(Canvas& picture, int severity, Rng&) {
  const double factor = at(kPixelate, severity);
  const auto shrunk = [factor](int64_t n) {
    return std::max<int64_t>(1, static_cast<int64_t>(static_cast<double>(n) * factor));
  };
  picture =
      box_resize(box_resize(picture, shrunk(picture.height), shrunk(picture.width)), picture.height, picture.width);
}

void jpeg(Canvas& picture, int severity, Rng&) {
  const std::vector<std::byte> bytes = io::encode_jpeg(to_image(picture), at(kJpeg, severity));
  picture = Canvas(io::decode_image(bytes, "corrupt"));
}

}  // namespace orthant::corrupt
