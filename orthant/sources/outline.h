#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace orthant {

struct Point {
  double x = 0;
  double y = 0;
};

// A flat figure: closed polygons with y pointing down. A point is inside where the contours wind around it, so
// contours of one orientation add up and one of the other orientation cuts a hole.
class Outline {
 public:
  // Adds a polygon, or cuts one out of what is there; either orientation is fine. At least 3 points, else
  // std::invalid_argument.
  Outline& add(std::vector<Point> contour);
  Outline& cut(std::vector<Point> contour);

  // Moves and scales the figure so that its bounding box is centred on the origin and the longer half side is
  // `half_side`.
  Outline& fit(double half_side);

  const std::vector<std::vector<Point>>& contours() const { return contours_; }

 private:
  std::vector<std::vector<Point>> contours_;
};

// Where a figure goes on the picture: its origin in pixels, its scale in pixels per unit, and its rotation in radians,
// anticlockwise as one looks at it.
struct Placement {
  double x = 0;
  double y = 0;
  double scale = 1;
  double angle = 0;
};

// Writes to coverage [height, width] which share of each pixel the placed figure covers, 0 to 1: exact across, four
// samples down. What lies outside of the picture is cut off. `coverage` has height * width entries, else
// std::invalid_argument.
void cover(const Outline& outline, const Placement& placement, int64_t height, int64_t width,
           std::span<float> coverage);

// The same without antialiasing: 255 where the centre of the pixel is inside, otherwise 0.
void fill(const Outline& outline, const Placement& placement, int64_t height, int64_t width, std::span<uint8_t> pixels);

}  // namespace orthant
