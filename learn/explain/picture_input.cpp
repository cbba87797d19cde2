#include "learn/explain/picture_input.h"

#include <ATen/ATen.h>

#include "learn/task/encode.h"
#include "orthant/core/error.h"
#include "orthant/views/sound_view.h"
#include "orthant/views/view.h"

namespace orthant {
namespace {

struct Share {
  float begin;
  float length;
};

// What a view of `size` pixels shows of a side of `length` pixels.
Share share_of(const CropAxis& axis, int64_t size, int64_t length) {
  const double pixel = static_cast<double>(axis.length) / static_cast<double>(axis.resized);  // of the view, in pixels
  const double begin = static_cast<double>(axis.begin) + static_cast<double>(axis.offset) * pixel;
  const auto all = static_cast<double>(length);
  return {static_cast<float>(begin / all), static_cast<float>(static_cast<double>(size) * pixel / all)};
}

}  // namespace

PictureInput picture_input(const Image& picture, const Preprocessing& preprocessing) {
  const ViewMaker maker(plain_views(preprocessing));
  const ViewOptions& options = maker.options();
  PictureInput input{.tensor = at::empty({1, options.channels, options.size, options.size}), .box = {}};
  const std::span<float> floats(input.tensor.data_ptr<float>(), static_cast<size_t>(input.tensor.numel()));
  ViewScratch scratch;
  const StreamKey key{};
  Rng rng(key);
  if (options.of_sound()) {
    check(picture.channels == 1 && picture.height == options.size && picture.width > 0,
          "[where] expected the spectrogram of a sound in ", options.size, " bands, got a picture of ", picture.height,
          " x ", picture.width, " x ", picture.channels);
    const auto parameters = views::sample_sound(picture, options, rng);
    views::make_sound_view(picture, options, parameters, rng, scratch.bands, floats);
    const auto frames = static_cast<double>(picture.width);
    input.box.left = static_cast<float>(parameters.begin / frames);
    input.box.width = static_cast<float>(parameters.frames / frames);
    return input;
  }
  const ViewParameters parameters = sample_parameters(options, picture.height, picture.width, rng);
  make_view(picture, options, parameters, scratch, floats);
  const Share across = share_of(parameters.columns, options.size, picture.width);
  const Share down = share_of(parameters.rows, options.size, picture.height);
  input.box = {.left = across.begin, .top = down.begin, .width = across.length, .height = down.length};
  return input;
}

}  // namespace orthant
