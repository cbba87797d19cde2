#pragma once

#include <cstdint>
#include <span>

#include "orthant/core/image.h"
#include "orthant/core/rng.h"
#include "orthant/views/aligned_buffer.h"
#include "orthant/views/options.h"
#include "orthant/views/parameters.h"
#include "orthant/views/resample.h"

namespace orthant {

// Working memory for making views: one per thread, reused from view to view so that none allocates.
struct ViewScratch {
  views::Resampler resampler;
  AlignedBuffer colour;  // three planes, where the view itself has one
  AlignedBuffer blur;
  AlignedBuffer bands;  // of a spectrogram
};

// Makes the view of `image` that the parameters describe: float32 [channels, size, size], normalised, into `out`.
// Works on the picture in strips that stay in the cache, and mostly in `out` itself.
//
// Throws std::invalid_argument if `out` has not exactly options.view_size() floats, the image is not a whole picture
// of 1 or 3 channels, or the crop does not lie within it. `options` must be valid.
void make_view(const Image& image, const ViewOptions& options, const ViewParameters& parameters, ViewScratch& scratch,
               std::span<float> out);

// Makes random views under fixed options. Copyable; calls from several threads are safe, each with its own scratch.
class ViewMaker {
 public:
  // Throws std::invalid_argument if the options are not valid.
  explicit ViewMaker(ViewOptions options);

  const ViewOptions& options() const { return options_; }

  // The view of `image` that belongs to `key`, as make_view(), or of a spectrogram as make_sound_view(). The bytes
  // depend on nothing but picture, options and key.
  void operator()(const Image& image, StreamKey key, ViewScratch& scratch, std::span<float> out) const;

 private:
  ViewOptions options_;
};

// The picture that a view shows: the normalisation undone, rounded, clamped to 0..255. For looking at views.
// Throws std::invalid_argument if `view` has not exactly options.view_size() floats.
Image view_to_image(std::span<const float> view, const ViewOptions& options);

}  // namespace orthant
