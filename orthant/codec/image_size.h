#pragma once

#include <cstdint>
#include <string>

namespace orthant::codec {

// Larger pictures are refused before memory is taken.
constexpr int64_t kMaxImageSide = 65'500;
constexpr int64_t kMaxImagePixels = 100'000'000;

// What every decoder checks when it has read the size in a picture's header: that both sides are positive and within
// the limits above, and that there are at most `max_pixels`. IoError naming `name`.
void check_image_size(int64_t height, int64_t width, int64_t max_pixels, const std::string& name);

}  // namespace orthant::codec
