#include "orthant/corrupt/blur.h"

#include <cmath>

#include "orthant/corrupt/filter.h"
#include "orthant/corrupt/severities.h"

namespace orthant::corrupt {
namespace {

struct Defocus {
  double radius, alias;
};
struct Glass {
  double sigma;
  int rounds;
};
struct Motion {
  double radius, sigma;
};

constexpr Severities<Defocus> kDefocus = {{{0.3, 0.4}, {0.4, 0.5}, {0.5, 0.6}, {1, 0.2}, {1.5, 0.1}}};
constexpr Severities<Glass> kGlass = {{{0.05, 1}, {0.25, 1}, {0.4, 1}, {0.25, 2}, {0.4, 2}}};
constexpr Severities<Motion> kMotion = {{{6, 1}, {6, 1.5}, {6, 2}, {8, 2}, {9, 2.5}}};
constexpr Severities<int> kZooms = {7, 12, 16, 21, 26};  // the lengths of NumPy's arange(1, 1.06, 0.01) and so on
constexpr Severities<double> kGaussian = {0.4, 0.6, 0.7, 0.8, 1};

void smooth(Canvas& picture, double sigma) {
  gaussian(picture, sigma, static_cast<int64_t>(4 * sigma + 0.5), Border::nearest);
}

int64_t at_least_one(double length) { return std::max<int64_t>(1, std::llround(length)); }

// Each pixel becomes a copy of one beside it, from the lower right to the upper left: the benchmark means to swap the
// two, but its assignment overwrites the first before it is read.
void scatter(Canvas& picture, int64_t distance, Rng& rng) {
  for (int64_t y = picture.height - distance; y > distance; --y) {
    for (int64_t x = picture.width - distance; x > distance; --x) {
      const auto dx = static_cast<int64_t>(rng.below(static_cast<uint64_t>(2 * distance))) - distance;
      const auto dy = static_cast<int64_t>(rng.below(static_cast<uint64_t>(2 * distance))) - distance;
      for (int64_t c = 0; c < picture.channels; ++c) picture.row(c, y)[x] = picture.row(c, y + dy)[x + dx];
    }
  }
}

}  // namespace

// The mirrored edge commutes with symmetric filters, so softening the picture is softening the kernel.
void defocus_blur(Canvas& picture, int severity, Rng&) {
  const Defocus& parameters = at(kDefocus, severity);
  const double scale = picture.scale();
  disk(picture, parameters.radius * scale);
  gaussian(picture, parameters.alias * scale, at_least_one(scale), Border::mirror);
}

void glass_blur(Canvas& picture, int severity, Rng& rng) {
  const Glass& parameters = at(kGlass, severity);
  const double sigma = parameters.sigma * picture.scale();
  smooth(picture, sigma);
  picture = Canvas(to_image(picture));
  for (int round = 0; round < parameters.rounds; ++round) scatter(picture, at_least_one(picture.scale()), rng);
  smooth(picture, sigma);
}

void motion_blur(Canvas& picture, int severity, Rng& rng) {
  const Motion& parameters = at(kMotion, severity);
  const double scale = picture.scale();
  motion(picture, parameters.radius * scale, parameters.sigma * scale, rng.uniform(-45, 45));
  for (float& value : picture.values) value = std::floor(value + 0.5F);
}

void zoom_blur(Canvas& picture, int severity, Rng&) {
  constexpr double kStep = 1.01 - 1;  // arange's own: a little above 0.01, which decides how the last zoom is rounded
  const int zooms = at(kZooms, severity);
  Canvas sum = picture;
  for (int k = 0; k < zooms; ++k) {
    const Canvas zoomed = zoom(picture, 1 + kStep * k);
    for (size_t i = 0; i < sum.values.size(); ++i) sum.values[i] += zoomed.values[i];
  }
  for (float& value : sum.values) value /= static_cast<float>(zooms + 1);
  picture = std::move(sum);
}

void gaussian_blur(Canvas& picture, int severity, Rng&) { smooth(picture, at(kGaussian, severity) * picture.scale()); }

}  // namespace orthant::corrupt
