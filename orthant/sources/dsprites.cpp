#include "orthant/sources/dsprites.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "orthant/core/embeddings.h"
#include "orthant/core/error.h"
#include "orthant/data/split.h"
#include "orthant/sources/outline.h"

namespace orthant {
namespace {

constexpr int64_t kSide = 64;
constexpr double kTurn = 2 * std::numbers::pi;

std::vector<Outline> draw_shapes() {
  std::vector<Point> ellipse;
  for (int i = 0; i < 32; ++i) ellipse.push_back({12.8 * std::cos(kTurn * i / 32), 7.25 * std::sin(kTurn * i / 32)});
  std::vector<Point> heart;
  constexpr int kHeartPoints = 64;
  constexpr double kRadius = 13.0 / 17;  // the curve reaches 17 units from its centre, the published heart 13 pixels
  for (int i = 0; i < kHeartPoints; ++i) {
    const double t = kTurn * i / kHeartPoints;
    const double up = 13 * std::cos(t) - 5 * std::cos(2 * t) - 2 * std::cos(3 * t) - std::cos(4 * t);
    heart.push_back({kRadius * 16 * std::pow(std::sin(t), 3), -kRadius * up - 2});
  }
  return {Outline().add({{-9.6, -9.6}, {9.6, -9.6}, {9.6, 9.6}, {-9.6, 9.6}}), Outline().add(std::move(ellipse)),
          Outline().add(std::move(heart))};
}

std::vector<float> evenly(double first, double last, int64_t count) {
  std::vector<float> values;
  for (int64_t i = 0; i < count; ++i) {
    values.push_back(
        static_cast<float>(first + (last - first) * static_cast<double>(i) / static_cast<double>(count - 1)));
  }
  return values;
}

class Dsprites final : public Dataset {
 public:
  Dsprites() : shapes_(draw_shapes()) {
    info_.name = "dsprites";
    info_.split = "all";
    info_.class_names = {"square", "ellipse", "heart"};
    info_.factors = {{"shape", {1, 2, 3}, info_.class_names},
                     {"scale", evenly(0.5, 1, 6), {}, kLinePeriod},
                     {"orientation", evenly(0, kTurn, 40), {}, static_cast<float>(kTurn)},
                     {"posX", evenly(0, 1, 32), {}, kLinePeriod},
                     {"posY", evenly(0, 1, 32), {}, kLinePeriod}};
    info_.height = info_.width = kSide;
    info_.channels = 1;
  }

  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return kDspritesCount; }

  int64_t label(int64_t i) const override { return dsprites_classes(i)[0]; }

  void factors(int64_t i, std::span<int32_t> classes) const override {
    check_factors(classes);
    std::ranges::copy(dsprites_classes(i), classes.begin());
  }

  Image image(int64_t i) const override {
    const auto [shape, scale, orientation, x, y] = dsprites_classes(i);
    const Placement placement = {.x = 16 + 32.0 * x / 31,
                                 .y = 16 + 32.0 * y / 31,
                                 .scale = 0.5 + 0.1 * scale,
                                 .angle = kTurn * orientation / 39};
    Image image(kSide, kSide, 1);
    fill(shapes_[static_cast<size_t>(shape)], placement, kSide, kSide, image.pixels);
    return image;
  }

 private:
  std::vector<Outline> shapes_;
  DatasetInfo info_;
};

}  // namespace

std::array<int32_t, 5> dsprites_classes(int64_t index) {
  check(index >= 0 && index < kDspritesCount, "[dsprites] expected an index from 0 to ", kDspritesCount - 1, ", got ",
        index);
  std::array<int32_t, 5> classes{};
  for (size_t factor = classes.size(); factor-- > 0;) {
    classes[factor] = static_cast<int32_t>(index % kDspritesSizes[factor]);
    index /= kDspritesSizes[factor];
  }
  return classes;
}

int64_t dsprites_index(const std::array<int32_t, 5>& classes) {
  int64_t index = 0;
  for (size_t factor = 0; factor < classes.size(); ++factor) {
    const int64_t size = kDspritesSizes[factor];
    check(classes[factor] >= 0 && classes[factor] < size, "[dsprites] expected classes from 0 to ", size - 1,
          " of factor ", factor, ", got ", classes[factor]);
    index = index * size + classes[factor];
  }
  return index;
}

DatasetPtr make_dsprites(const std::string& split) { return standard_split(std::make_shared<Dsprites>(), split); }

}  // namespace orthant
