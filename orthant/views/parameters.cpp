#include "orthant/views/parameters.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "orthant/core/error.h"

namespace orthant {
namespace {

// As torchvision's RandomResizedCrop: ten tries to fit a part of random area and shape, then the largest part in the
// middle whose shape is allowed.
void random_crop(const ViewOptions& o, int64_t height, int64_t width, Rng& rng, ViewParameters& p) {
  const auto h = static_cast<double>(height);
  const auto w = static_cast<double>(width);
  const double log_min = std::log(o.ratio_min);
  const double log_max = std::log(o.ratio_max);
  for (int attempt = 0; attempt < 10; ++attempt) {
    const double area = h * w * rng.uniform(o.scale_min, o.scale_max);
    const double ratio = std::exp(rng.uniform(log_min, log_max));
    const auto crop_w = static_cast<int64_t>(std::nearbyint(std::sqrt(area * ratio)));
    const auto crop_h = static_cast<int64_t>(std::nearbyint(std::sqrt(area / ratio)));
    if (crop_w < 1 || crop_w > width || crop_h < 1 || crop_h > height) continue;
    const auto top = static_cast<int64_t>(rng.below(static_cast<uint64_t>(height - crop_h + 1)));
    const auto left = static_cast<int64_t>(rng.below(static_cast<uint64_t>(width - crop_w + 1)));
    p.rows = {.begin = top, .length = crop_h, .resized = o.size};
    p.columns = {.begin = left, .length = crop_w, .resized = o.size};
    return;
  }
  int64_t crop_h = height;
  int64_t crop_w = width;
  if (w / h < o.ratio_min) crop_h = std::clamp<int64_t>(std::llrint(w / o.ratio_min), 1, height);
  if (w / h > o.ratio_max) crop_w = std::clamp<int64_t>(std::llrint(h * o.ratio_max), 1, width);
  p.rows = {.begin = (height - crop_h) / 2, .length = crop_h, .resized = o.size};
  p.columns = {.begin = (width - crop_w) / 2, .length = crop_w, .resized = o.size};
}

// As torchvision's Resize(size / fraction) and CenterCrop(size).
void centre_crop(const ViewOptions& o, int64_t height, int64_t width, ViewParameters& p) {
  const int64_t shorter = std::min(height, width);
  const bool fits = height == o.size && width == o.size;
  const auto target =
      fits ? o.size : static_cast<int64_t>(std::nearbyint(static_cast<double>(o.size) / o.centre_fraction));
  const auto axis = [&](int64_t length) {
    const auto resized =
        static_cast<int64_t>(static_cast<double>(target) * static_cast<double>(length) / static_cast<double>(shorter));
    return CropAxis{.length = length,
                    .resized = resized,
                    .offset = static_cast<int64_t>(std::nearbyint(static_cast<double>(resized - o.size) / 2))};
  };
  p.rows = axis(height);
  p.columns = axis(width);
}

double draw_factor(double strength, Rng& rng) {
  return strength > 0 ? rng.uniform(std::max(0.0, 1 - strength), 1 + strength) : 1.0;
}

}  // namespace

ViewParameters sample_parameters(const ViewOptions& o, int64_t height, int64_t width, Rng& rng) {
  check(height >= 1 && width >= 1, "[views] expected a picture with pixels, got ", height, " x ", width);
  ViewParameters p;
  if (o.crop == "random") {
    random_crop(o, height, width, rng, p);
  } else if (o.crop == "centre") {
    centre_crop(o, height, width, p);
  } else {
    p.rows = {.length = height, .resized = o.size};
    p.columns = {.length = width, .resized = o.size};
  }
  if (rng.bernoulli(o.jitter_probability)) {
    rng.shuffle(std::span<ColourOp>(p.order));
    p.brightness = draw_factor(o.brightness, rng);
    p.contrast = draw_factor(o.contrast, rng);
    p.saturation = draw_factor(o.saturation, rng);
    p.hue = o.hue > 0 ? rng.uniform(-o.hue, o.hue) : 0.0;
  }
  p.grey = rng.bernoulli(o.grey_probability);
  if (rng.bernoulli(o.blur_probability)) p.blur_sigma = rng.uniform(o.blur_sigma_min, o.blur_sigma_max);
  p.solarise = rng.bernoulli(o.solarise_probability);
  p.flip = rng.bernoulli(o.flip_probability);
  return p;
}

}  // namespace orthant
