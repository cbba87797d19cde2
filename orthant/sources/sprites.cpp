#include "orthant/sources/sprites.h"

#include <algorithm>
#include <array>
#include <numbers>
#include <utility>

#include "orthant/core/embeddings.h"
#include "orthant/core/error.h"
#include "orthant/core/rng.h"
#include "orthant/sources/sprite_paint.h"
#include "orthant/sources/sprite_shapes.h"

namespace orthant {
namespace {

constexpr uint16_t kStream = 0xff10;
constexpr double kDegree = std::numbers::pi / 180;

struct NamedColour {
  const char* name;
  float hue;  // degrees
  Rgb rgb;
};
constexpr std::array kColours = {
    NamedColour{"red", 0, {226, 44, 44}},       NamedColour{"orange", 30, {246, 136, 24}},
    NamedColour{"yellow", 50, {250, 214, 40}},  NamedColour{"green", 130, {44, 166, 66}},
    NamedColour{"cyan", 185, {36, 190, 206}},   NamedColour{"blue", 225, {48, 88, 226}},
    NamedColour{"purple", 275, {146, 62, 200}}, NamedColour{"pink", 330, {244, 112, 178}},
};
constexpr std::array kTextures = {std::pair{"plain", Pattern::kPlain}, std::pair{"gradient", Pattern::kGradient},
                                  std::pair{"stripes", Pattern::kStripes}, std::pair{"checks", Pattern::kChecks},
                                  std::pair{"dots", Pattern::kDots}};
constexpr std::array kBackgrounds = {std::pair{"plain", Pattern::kPlain}, std::pair{"gradient", Pattern::kGradient},
                                     std::pair{"stripes", Pattern::kStripes}, std::pair{"checks", Pattern::kChecks},
                                     std::pair{"clouds", Pattern::kClouds}};
constexpr std::array<float, 4> kSizes = {8.5F, 10.0F, 11.5F, 13.0F};         // radius in pixels
constexpr std::array<float, 7> kRotations = {-30, -20, -10, 0, 10, 20, 30};  // degrees, anticlockwise
constexpr std::array<float, 5> kPositions = {-3, -1.5F, 0, 1.5F, 3};         // pixels from the centre
constexpr std::array<float, 3> kNoises = {0, 5, 10};                         // standard deviation

enum FactorIndex : size_t { kShape, kColour, kSize, kRotation, kX, kY, kTexture, kBackground, kNoise, kFactors };
using FactorClasses = std::array<int32_t, kFactors>;

template <size_t N>
FactorInfo numbers(std::string name, const std::array<float, N>& values) {
  return {.name = std::move(name), .values = {values.begin(), values.end()}, .period = kLinePeriod};
}

template <class Items, class NameOf>
FactorInfo names(std::string name, const Items& items, NameOf name_of) {
  FactorInfo factor{.name = std::move(name), .values = {}};
  for (const auto& item : items) {
    factor.values.push_back(static_cast<float>(factor.values.size()));
    factor.names.emplace_back(name_of(item));
  }
  return factor;
}

std::vector<FactorInfo> all_factors() {
  std::vector<FactorInfo> factors;
  factors.push_back(names("shape", sprite_shapes(), [](const SpriteShape& shape) { return shape.name; }));
  factors.push_back(names("colour", kColours, [](const NamedColour& colour) { return colour.name; }));
  for (size_t i = 0; i < kColours.size(); ++i) factors.back().values[i] = kColours[i].hue;
  factors.back().period = 360;
  factors.push_back(numbers("size", kSizes));
  factors.push_back(numbers("rotation", kRotations));
  factors.push_back(numbers("position_x", kPositions));
  factors.push_back(numbers("position_y", kPositions));
  factors.push_back(names("texture", kTextures, [](const auto& texture) { return texture.first; }));
  factors.push_back(names("background", kBackgrounds, [](const auto& background) { return background.first; }));
  factors.push_back(numbers("noise", kNoises));
  return factors;
}

// Takes 32 random bits; the bias of below 1e-8 is far under what any number of pictures could show.
template <class Container>
int32_t draw(Rng& rng, const Container& classes) {
  return static_cast<int32_t>((uint64_t{rng.next()} * classes.size()) >> 32);
}

FactorClasses draw_factors(Rng& rng) {
  FactorClasses classes{};
  classes[kShape] = draw(rng, sprite_shapes());
  classes[kColour] = draw(rng, kColours);
  classes[kSize] = draw(rng, kSizes);
  classes[kRotation] = draw(rng, kRotations);
  classes[kX] = draw(rng, kPositions);
  classes[kY] = draw(rng, kPositions);
  classes[kTexture] = draw(rng, kTextures);
  classes[kBackground] = draw(rng, kBackgrounds);
  classes[kNoise] = draw(rng, kNoises);
  return classes;
}

float luminance(const Rgb& rgb) { return 0.299F * rgb[0] + 0.587F * rgb[1] + 0.114F * rgb[2]; }

Rgb mix(const Rgb& a, const Rgb& b, float share) {
  return {a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share};
}

float between(Rng& rng, double low, double high) { return static_cast<float>(rng.uniform(low, high)); }

// A grey with a tint, of about the given brightness.
Rgb muted(Rng& rng, float brightness, double tint) {
  Rgb rgb;
  for (float& channel : rgb) channel = std::clamp(brightness + between(rng, -tint, tint), 0.0F, 255.0F);
  return rgb;
}

void choose_colours(Rng& rng, int32_t colour, SpriteScene& scene) {
  Rgb rgb = kColours[static_cast<size_t>(colour)].rgb;
  for (float& channel : rgb) channel = std::clamp(channel + between(rng, -12, 12), 0.0F, 255.0F);
  scene.figure.colour = rgb;

  // Light figures need a dark ground; the others stand out from both. Accents lead away from the other side, so
  // that no pattern ever closes the gap.
  constexpr float kLight = 185;
  const bool dark_ground = rng.bernoulli(0.5) || luminance(rgb) > kLight;
  scene.figure.accent = dark_ground ? mix(rgb, {255, 255, 255}, 0.6F) : mix(rgb, {0, 0, 0}, 0.5F);
  const float brightness = dark_ground ? between(rng, 42, 60) : between(rng, 200, 222);
  scene.ground.colour = muted(rng, brightness, 14);
  scene.ground.accent = mix(scene.ground.colour, muted(rng, dark_ground ? 4 : 250, 10), 0.75F);
}

class Sprites final : public Dataset {
 public:
  explicit Sprites(const SpritesOptions& options) : seed_(options.seed), test_(options.split == "test") {
    check(options.split == "train" || test_, "[sprites] expected the split train or test, got ", options.split);
    check(options.size >= 0, "[sprites] expected a size of 0 or more, got ", options.size);
    size_ = options.size > 0 ? options.size : test_ ? 10'000 : 50'000;
    info_.name = "sprites";
    info_.split = options.split;
    for (const SpriteShape& shape : sprite_shapes()) info_.class_names.push_back(shape.name);
    info_.factors = all_factors();
    info_.height = info_.width = kSpriteSide;
    info_.channels = 3;
  }

  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return size_; }

  int64_t label(int64_t i) const override {
    Rng rng = stream(i);
    return draw(rng, sprite_shapes());  // drawn first of all factors
  }

  void factors(int64_t i, std::span<int32_t> classes) const override {
    check_factors(classes);
    Rng rng = stream(i);
    std::ranges::copy(draw_factors(rng), classes.begin());
  }

  Image image(int64_t i) const override { return paint(scene_of(i)); }
  Image mask(int64_t i) const { return paint_mask(scene_of(i)); }

 private:
  SpriteScene scene_of(int64_t i) const {
    Rng rng = stream(i);
    const FactorClasses classes = draw_factors(rng);
    const auto value = [&classes](const auto& values, FactorIndex factor) -> const auto& {
      return values[static_cast<size_t>(classes[factor])];
    };
    SpriteScene scene;
    scene.outline = &value(sprite_shapes(), kShape).outline;
    scene.placement = {.x = kSpriteSide / 2.0 + value(kPositions, kX) + rng.uniform(-0.6, 0.6),
                       .y = kSpriteSide / 2.0 + value(kPositions, kY) + rng.uniform(-0.6, 0.6),
                       .scale = value(kSizes, kSize) + rng.uniform(-0.5, 0.5),
                       .angle = (value(kRotations, kRotation) + rng.uniform(-4, 4)) * kDegree};
    choose_colours(rng, classes[kColour], scene);
    scene.figure.pattern = value(kTextures, kTexture).second;
    scene.figure.angle = scene.placement.angle;
    scene.figure.period = scene.figure.pattern == Pattern::kGradient ? 2 * scene.placement.scale : rng.uniform(4.5, 6);
    scene.ground.pattern = value(kBackgrounds, kBackground).second;
    scene.ground.angle = rng.uniform(0, 2 * std::numbers::pi);
    scene.ground.period = scene.ground.pattern == Pattern::kGradient ? kSpriteSide : rng.uniform(6, 10);
    scene.noise = value(kNoises, kNoise);
    scene.grain = (uint64_t{rng.next()} << 32) | rng.next();
    return scene;
  }

  Rng stream(int64_t i) const {
    check_index(i);
    return Rng({.seed = seed_, .epoch = test_ ? 1U : 0U, .sample = static_cast<uint64_t>(i), .view = kStream});
  }

  DatasetInfo info_;
  int64_t size_ = 0;
  uint64_t seed_;
  bool test_;
};

}  // namespace

DatasetPtr make_sprites(const SpritesOptions& options) { return std::make_shared<Sprites>(options); }

Image sprite_mask(const SpritesOptions& options, int64_t i) { return Sprites(options).mask(i); }

}  // namespace orthant
