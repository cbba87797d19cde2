#pragma once

#include <cstddef>
#include <span>

#include "orthant/core/image.h"

namespace orthant::codec {

// The orientation, 1 to 8, in the content of a JPEG's APP1 segment ("Exif\0\0" and a TIFF structure). 1, which is
// upright, if there is none or the structure is broken: a picture is not refused for a broken camera note.
int exif_orientation(std::span<const std::byte> segment);

// The picture turned and mirrored so that it is upright, for an orientation of 1 to 8.
Image upright(Image image, int orientation);

}  // namespace orthant::codec
