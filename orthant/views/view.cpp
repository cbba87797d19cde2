#include "orthant/views/view.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "orthant/core/checked.h"
#include "orthant/core/error.h"
#include "orthant/views/blur.h"
#include "orthant/views/colour.h"
#include "orthant/views/normalise.h"
#include "orthant/views/sound_view.h"

namespace orthant {
namespace {

using views::Planes;

// Three planes of so many floats are at home in a first-level cache.
constexpr int64_t kStripPixels = 2048;

void check_axis(const char* name, const CropAxis& axis, int64_t length, int64_t size) {
  check(axis.begin >= 0 && axis.length >= 1 && axis.begin <= length - axis.length,
        "[make_view] expected a crop within ", length, " ", name, ", got ", axis.length, " from ", axis.begin);
  check(axis.offset >= 0 && axis.offset <= axis.resized - size, "[make_view] expected ", size, " of ", axis.resized,
        " resized ", name, ", got an offset of ", axis.offset);
}

void check_arguments(const Image& image, const ViewOptions& o, const ViewParameters& p, std::span<float> out) {
  check(static_cast<int64_t>(out.size()) == o.view_size(), "[make_view] expected room for ", o.view_size(),
        " floats, got ", out.size());
  check(image.channels == 1 || image.channels == 3, "[make_view] expected a picture of 1 or 3 channels, got ",
        image.channels);
  check(checked_product(std::array{image.height, image.width, image.channels}) ==
            static_cast<int64_t>(image.pixels.size()),
        "[make_view] expected ", image.height, " x ", image.width, " x ", image.channels, " values, got ",
        image.pixels.size());
  check_axis("rows", p.rows, image.height, o.size);
  check_axis("columns", p.columns, image.width, o.size);
}

void apply(ColourOp op, const ViewParameters& p, float level, Planes planes) {
  switch (op) {
    case ColourOp::kBrightness:
      if (p.brightness != 1) views::adjust_brightness(planes, static_cast<float>(p.brightness));
      break;
    case ColourOp::kContrast:
      if (p.contrast != 1) views::adjust_contrast(planes, static_cast<float>(p.contrast), level);
      break;
    case ColourOp::kSaturation:
      if (p.saturation != 1) views::adjust_saturation(planes, static_cast<float>(p.saturation));
      break;
    case ColourOp::kHue:
      if (p.hue != 0) views::rotate_hue(planes, p.hue);
      break;
  }
}

}  // namespace

void make_view(const Image& image, const ViewOptions& o, const ViewParameters& p, ViewScratch& scratch,
               std::span<float> out) {
  check_arguments(image, o, p, out);
  const int64_t size = o.size;
  const int64_t pixels = size * size;
  const bool fits = image.channels <= o.channels;
  const Planes work = views::planes_at(fits ? out.data() : scratch.colour.grow(3 * pixels), image.channels, pixels);
  const bool grey = image.channels == 1 || p.grey || o.channels == 1;
  const bool blurred = p.blur_sigma > 0;
  const auto to = views::planes_at(out.data(), o.channels, pixels);
  const auto normal = views::normalisation(o.mean(), o.std());
  const auto threshold = static_cast<float>(o.solarise_threshold);

  // Contrast looks at the whole picture: what comes before it and what comes after are two sweeps over the strips.
  const auto contrast = std::ranges::find(p.order, ColourOp::kContrast);
  const auto split = p.contrast == 1 ? p.order.begin() : contrast;
  int64_t sum = 0;
  scratch.resampler.begin(image, p.rows, p.columns, size, size, p.flip);
  const int64_t strip_rows = std::clamp<int64_t>(kStripPixels / size, 1, size);
  const auto resample = [&](int64_t y, int64_t end) {
    const Planes strip = work.part(y * size, (end - y) * size);
    scratch.resampler.rows(y, end, strip);
    return strip;
  };
  const auto finish = [&](Planes strip, Planes target) {
    if (p.solarise) views::solarise(strip, threshold);
    views::normalise(strip, normal, target);
  };

  if (p.contrast != 1) {
    for (int64_t y = 0; y < size; y += strip_rows) {
      const Planes strip = resample(y, std::min(size, y + strip_rows));
      for (auto op = p.order.begin(); op != split; ++op) apply(*op, p, 0, strip);
      sum += views::grey_sum(strip);
    }
  }
  const float level = views::contrast_level(sum, pixels);
  for (int64_t y = 0; y < size; y += strip_rows) {
    const int64_t end = std::min(size, y + strip_rows);
    Planes strip = p.contrast != 1 ? work.part(y * size, (end - y) * size) : resample(y, end);
    for (auto op = split; op != p.order.end(); ++op) apply(*op, p, level, strip);
    if (grey) {
      views::to_grey(strip);
      strip.channels = 1;
    }
    if (!blurred) finish(strip, to.part(y * size, (end - y) * size));
  }
  if (!blurred) return;
  Planes whole = work;
  if (grey) whole.channels = 1;
  const auto kernel = views::blur_kernel(p.blur_sigma);
  for (int64_t c = 0; c < whole.channels; ++c) {
    views::blur(whole.plane[static_cast<size_t>(c)], size, size, kernel, scratch.blur);
  }
  finish(whole, to);
}

ViewMaker::ViewMaker(ViewOptions options) : options_(std::move(options)) { options_.validate(); }

void ViewMaker::operator()(const Image& image, StreamKey key, ViewScratch& scratch, std::span<float> out) const {
  Rng rng(key);
  if (options_.of_sound()) {
    const auto parameters = views::sample_sound(image, options_, rng);
    return views::make_sound_view(image, options_, parameters, rng, scratch.bands, out);
  }
  make_view(image, options_, sample_parameters(options_, image.height, image.width, rng), scratch, out);
}

Image view_to_image(std::span<const float> view, const ViewOptions& o) {
  check(static_cast<int64_t>(view.size()) == o.view_size(), "[view_to_image] expected ", o.view_size(), " floats, got ",
        view.size());
  Image image(o.size, o.size, o.channels);
  const auto mean = o.mean();
  const auto std = o.std();
  const auto channels = static_cast<size_t>(o.channels);
  const size_t pixels = view.size() / channels;
  for (size_t c = 0; c < channels; ++c) {
    for (size_t i = 0; i < pixels; ++i) {
      const double level = (static_cast<double>(view[c * pixels + i]) * std[c] + mean[c]) * 255;
      image.pixels[i * channels + c] =
          level > 0 ? static_cast<uint8_t>(std::min(std::round(level), 255.0)) : uint8_t{0};
    }
  }
  return image;
}

}  // namespace orthant
