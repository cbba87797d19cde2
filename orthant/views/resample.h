#pragma once

#include <cstdint>
#include <vector>

#include "orthant/core/image.h"
#include "orthant/views/aligned_buffer.h"
#include "orthant/views/parameters.h"
#include "orthant/views/planes.h"

namespace orthant::views {

// The weights with which the pixels of one axis become those of the output: bicubic (a = -1/2), widened by the factor
// of reduction where the picture shrinks, cut off at the edges of the crop and normalised, as in Pillow.
// Weights are multiples of 2^-15 that add up to 1: sums of weighted levels are exact in float32.
struct Taps {
  int64_t outputs = 0;
  int64_t stride = 0;          // between the k-th and the (k+1)-th weight of an output; >= outputs
  int64_t most = 0;            // largest count
  std::vector<int32_t> first;  // input pixel of the first weight, relative to the crop
  std::vector<int32_t> count;
  AlignedBuffer weights;  // [most, stride]
};

// Outputs [axis.offset, axis.offset + outputs) of the resize of axis.length pixels to axis.resized.
void plan_taps(const CropAxis& axis, int64_t outputs, Taps& taps);

// Crops and resizes a picture row by row, in order, into planes of levels: horizontally first, then vertically, with
// whole levels in between, as Pillow does. Holds its working memory and reuses it from picture to picture, so that a
// warm resampler does not allocate. Not for several threads at the same time.
class Resampler {
 public:
  // Begins with `image`, which must outlive the last call of rows(). The axes lie within the picture.
  void begin(const Image& image, const CropAxis& rows, const CropAxis& columns, int64_t height, int64_t width,
             bool flip);

  // Writes the output rows [begin, end) as planes [channels of the picture, (end - begin) * width]. The first call
  // starts at row 0 and each later one where the last ended.
  void rows(int64_t begin, int64_t end, Planes out);

  // What rows() keeps between calls; public for the kernels only.
  struct State {
    const uint8_t* pixels = nullptr;  // of the crop's first row
    int64_t pitch = 0;                // bytes from row to row
    int64_t channels = 0;
    int64_t crop_width = 0;
    int64_t width = 0;
    bool flip = false;
    bool same_size = false;  // nothing to resample
    Taps down;
    Taps across;

    // `across` by groups of as many outputs as a vector has lanes: for each input pixel that any of them needs, one
    // vector of weights. A pixel is then broadcast and used for the whole group, straight from the interleaved row.
    std::vector<int32_t> band_first;
    std::vector<int32_t> band_count;
    AlignedBuffer band_weights;

    AlignedBuffer source;  // one row of the crop as floats
    AlignedBuffer ring;    // the last ring_mask + 1 rows after the horizontal pass, [channels, ring_pitch] each
    int64_t ring_pitch = 0;
    int64_t ring_mask = 0;
    int64_t made = 0;  // rows of the crop that went through the horizontal pass
  };

 private:
  State state_;
};

}  // namespace orthant::views
