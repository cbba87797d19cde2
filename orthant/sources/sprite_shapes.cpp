#include "orthant/sources/sprite_shapes.h"

#include <cmath>
#include <numbers>
#include <vector>

namespace orthant {
namespace {

using Contour = std::vector<Point>;
constexpr double kPi = std::numbers::pi;

// Points of an ellipse from one angle to another, both in degrees, clockwise as one looks at it.
Contour arc(Point centre, double radius_x, double radius_y, double from, double to) {
  const int steps = static_cast<int>(std::ceil(std::abs(to - from) / 12));
  Contour points;
  for (int i = 0; i <= steps; ++i) {
    const double angle = (from + (to - from) * i / steps) * kPi / 180;
    points.push_back({centre.x + radius_x * std::cos(angle), centre.y + radius_y * std::sin(angle)});
  }
  return points;
}

Contour ellipse(Point centre, double radius_x, double radius_y) { return arc(centre, radius_x, radius_y, 0, 348); }

Contour disc(Point centre, double radius) { return ellipse(centre, radius, radius); }

Contour box(double left, double top, double right, double bottom) {
  return {{left, top}, {right, top}, {right, bottom}, {left, bottom}};
}

Contour joined(Contour first, const Contour& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

// Corners that alternate between two radii, the first of them at the top.
Contour star(int points, double inner_radius) {
  Contour corners;
  for (int i = 0; i < 2 * points; ++i) {
    const double angle = kPi * i / points - kPi / 2;
    const double radius = i % 2 == 0 ? 1 : inner_radius;
    corners.push_back({radius * std::cos(angle), radius * std::sin(angle)});
  }
  return corners;
}

Contour heart() {
  Contour points;
  for (int i = 0; i < 40; ++i) {
    const double t = 2 * kPi * i / 40;
    points.push_back({16 * std::pow(std::sin(t), 3),
                      -(13 * std::cos(t) - 5 * std::cos(2 * t) - 2 * std::cos(3 * t) - std::cos(4 * t))});
  }
  return points;
}

Outline flower() {
  Outline petals;
  for (int i = 0; i < 5; ++i) {
    const double angle = 2 * kPi * i / 5 - kPi / 2;
    petals.add(disc({0.6 * std::cos(angle), 0.6 * std::sin(angle)}, 0.4));
  }
  return petals.add(disc({0, 0}, 0.42)).cut(disc({0, 0}, 0.22));
}

std::vector<SpriteShape> draw_all() {
  std::vector<SpriteShape> shapes;
  const auto shape = [&shapes](const char* name, Outline outline, double half_side) {
    shapes.push_back({name, outline.fit(half_side)});
  };
  shape("circle", Outline().add(disc({0, 0}, 1)), 0.86);
  shape("square", Outline().add(box(-1, -1, 1, 1)), 0.76);
  shape("triangle", Outline().add({{0, -1}, {1, 0.8}, {-1, 0.8}}), 0.95);
  shape("star", Outline().add(star(5, 0.42)), 1.08);
  shape("heart", Outline().add(heart()), 0.95);
  shape("moon", Outline().add(joined(arc({0, 0}, 1, 1, 35, 325), arc({0.45, 0}, 0.68, 0.68, 302, 58))), 1.0);
  shape("ring", Outline().add(disc({0, 0}, 1)).cut(disc({0, 0}, 0.55)), 0.95);
  shape("cross",
        Outline().add({{-0.33, -1},
                       {0.33, -1},
                       {0.33, -0.33},
                       {1, -0.33},
                       {1, 0.33},
                       {0.33, 0.33},
                       {0.33, 1},
                       {-0.33, 1},
                       {-0.33, 0.33},
                       {-1, 0.33},
                       {-1, -0.33},
                       {-0.33, -0.33}}),
        0.95);
  shape("arrow", Outline().add({{1, 0}, {0.1, -0.8}, {0.1, -0.3}, {-1, -0.3}, {-1, 0.3}, {0.1, 0.3}, {0.1, 0.8}}),
        1.05);
  shape("house",
        Outline()
            .add({{0, -1}, {1.05, -0.1}, {0.78, -0.1}, {0.78, 0.9}, {-0.78, 0.9}, {-0.78, -0.1}, {-1.05, -0.1}})
            .cut(box(-0.22, 0.25, 0.22, 0.9)),
        0.98);
  shape("fish",
        Outline()
            .add(ellipse({0.25, 0}, 0.85, 0.55))
            .add({{-0.45, 0}, {-1.1, -0.6}, {-0.95, 0}, {-1.1, 0.6}})
            .cut(disc({0.68, -0.12}, 0.13)),
        1.12);
  shape("tree",
        Outline()
            .add({{0, -1.1},
                  {0.42, -0.55},
                  {0.24, -0.55},
                  {0.64, 0},
                  {0.36, 0},
                  {0.86, 0.6},
                  {-0.86, 0.6},
                  {-0.36, 0},
                  {-0.64, 0},
                  {-0.24, -0.55},
                  {-0.42, -0.55}})
            .add(box(-0.14, 0.55, 0.14, 0.95)),
        1.1);
  shape("mug",
        Outline()
            .add(box(-0.85, -0.8, 0.4, 0.8))
            .add(joined(arc({0.4, 0}, 0.62, 0.52, -90, 90), arc({0.4, 0}, 0.35, 0.27, 90, -90))),
        0.95);
  shape("bolt", Outline().add({{0.3, -1.1}, {-0.72, 0.2}, {-0.08, 0.2}, {-0.32, 1.1}, {0.74, -0.3}, {0.08, -0.3}}),
        1.15);
  shape("flower", flower(), 1.02);
  shape("car",
        Outline()
            .add({{-1.1, 0.4},
                  {-1.1, -0.05},
                  {-0.7, -0.12},
                  {-0.42, -0.68},
                  {0.42, -0.68},
                  {0.72, -0.12},
                  {1.1, -0.02},
                  {1.1, 0.4}})
            .add(disc({-0.58, 0.45}, 0.31))
            .add(disc({0.58, 0.45}, 0.31))
            .cut({{-0.46, -0.1}, {-0.27, -0.48}, {-0.07, -0.48}, {-0.07, -0.1}})
            .cut({{0.09, -0.1}, {0.09, -0.48}, {0.29, -0.48}, {0.48, -0.1}}),
        1.18);
  return shapes;
}

}  // namespace

std::span<const SpriteShape> sprite_shapes() {
  static const std::vector<SpriteShape> shapes = draw_all();
  return shapes;
}

}  // namespace orthant
