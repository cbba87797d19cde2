#include "orthant/sources/outline.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "orthant/core/error.h"

namespace orthant {
namespace {

double signed_area(const std::vector<Point>& contour) {
  double twice = 0;
  for (size_t i = 0; i < contour.size(); ++i) {
    const Point& p = contour[i];
    const Point& q = contour[(i + 1) % contour.size()];
    twice += p.x * q.y - q.x * p.y;
  }
  return twice / 2;
}

std::vector<Point> oriented(std::vector<Point> contour, bool positive) {
  check(contour.size() >= 3, "[Outline] expected a contour of 3 points or more, got ", contour.size());
  if ((signed_area(contour) > 0) != positive) std::ranges::reverse(contour);
  return contour;
}

// Calls visit(line, x, direction) wherever the placed outline crosses one of the horizontal lines at the heights
// (line + 0.5) / lines_per_pixel within the picture.
template <class Visit>
void for_each_crossing(const Outline& outline, const Placement& placement, int64_t height, int lines_per_pixel,
                       Visit&& visit) {
  const double cosine = placement.scale * std::cos(placement.angle);
  const double sine = placement.scale * std::sin(placement.angle);
  const auto place = [&](const Point& p) {
    return Point{placement.x + cosine * p.x + sine * p.y,
                 (placement.y - sine * p.x + cosine * p.y) * lines_per_pixel - 0.5};
  };
  const double last_line = static_cast<double>(height * lines_per_pixel);
  for (const auto& contour : outline.contours()) {
    Point from = place(contour.back());
    for (const Point& corner : contour) {
      const Point to = place(corner);
      const bool down = to.y > from.y;
      const Point& upper = down ? from : to;
      const Point& lower = down ? to : from;
      const auto begin = static_cast<int64_t>(std::ceil(std::clamp(upper.y, 0.0, last_line)));
      const auto end = static_cast<int64_t>(std::ceil(std::clamp(lower.y, 0.0, last_line)));
      if (begin < end) {
        const double slope = (lower.x - upper.x) / (lower.y - upper.y);
        double x = upper.x + (static_cast<double>(begin) - upper.y) * slope;
        for (int64_t line = begin; line < end; ++line, x += slope) visit(line, x, down ? 1 : -1);
      }
      from = to;
    }
  }
}

void check_room(int64_t height, int64_t width, size_t room) {
  check(height > 0 && width > 0 && static_cast<int64_t>(room) == height * width, "[Outline] expected room for ", height,
        " x ", width, " pixels, got ", room);
}

}  // namespace

Outline& Outline::add(std::vector<Point> contour) {
  contours_.push_back(oriented(std::move(contour), true));
  return *this;
}

Outline& Outline::cut(std::vector<Point> contour) {
  contours_.push_back(oriented(std::move(contour), false));
  return *this;
}

Outline& Outline::fit(double half_side) {
  check(!contours_.empty(), "[Outline::fit] expected a figure, got an empty outline");
  Point low = contours_.front().front();
  Point high = low;
  for (const auto& contour : contours_) {
    for (const Point& p : contour) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
  }
  const double scale = 2 * half_side / std::max(high.x - low.x, high.y - low.y);
  for (auto& contour : contours_) {
    for (Point& p : contour) p = {(p.x - (low.x + high.x) / 2) * scale, (p.y - (low.y + high.y) / 2) * scale};
  }
  return *this;
}

void cover(const Outline& outline, const Placement& placement, int64_t height, int64_t width,
           std::span<float> coverage) {
  check_room(height, width, coverage.size());
  constexpr int kLines = 4;
  std::ranges::fill(coverage, 0.0F);
  // Each crossing raises or lowers everything to its right; a running sum along the row then gives the winding.
  const double right = static_cast<double>(width);
  for_each_crossing(outline, placement, height, kLines, [&](int64_t line, double x, int direction) {
    if (x >= right) return;
    const auto pixel = x > 0 ? static_cast<int64_t>(x) : 0;
    const auto fraction = x > 0 ? static_cast<float>(x - static_cast<double>(pixel)) : 0.0F;
    const float weight = static_cast<float>(direction) / kLines;
    float* const cell = coverage.data() + (line / kLines) * width + pixel;
    cell[0] += weight * (1 - fraction);
    if (pixel + 1 < width) cell[1] += weight * fraction;
  });
  for (int64_t y = 0; y < height; ++y) {
    float winding = 0;
    for (float& cell : coverage.subspan(static_cast<size_t>(y * width), static_cast<size_t>(width))) {
      winding += cell;
      cell = std::min(std::abs(winding), 1.0F);
    }
  }
}

void fill(const Outline& outline, const Placement& placement, int64_t height, int64_t width,
          std::span<uint8_t> pixels) {
  check_room(height, width, pixels.size());
  std::ranges::fill(pixels, uint8_t{0});
  const double right = static_cast<double>(width);
  for_each_crossing(outline, placement, height, 1, [&](int64_t line, double x, int direction) {
    const double first = std::ceil(std::max(x - 0.5, 0.0));
    if (first >= right) return;
    uint8_t& cell = pixels[static_cast<size_t>(line * width + static_cast<int64_t>(first))];
    cell = static_cast<uint8_t>(cell + direction);
  });
  for (int64_t y = 0; y < height; ++y) {
    uint8_t winding = 0;
    for (uint8_t& cell : pixels.subspan(static_cast<size_t>(y * width), static_cast<size_t>(width))) {
      winding = static_cast<uint8_t>(winding + cell);
      cell = winding == 0 ? 0 : 255;
    }
  }
}

}  // namespace orthant
