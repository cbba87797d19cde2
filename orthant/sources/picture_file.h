#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "orthant/folders/file_kind.h"

namespace orthant {

// True if files that end like this are taken for pictures: .jpg, .jpeg, .png, .webp, .bmp, .ppm, .pgm or .pnm.
bool is_picture_ending(const std::string& ending);

// True if files that end like this are pictures of a kind that is not read, such as .gif or .tiff.
bool is_other_picture_ending(const std::string& ending);

// Examines a picture file from the first bit to the last (see io::verify_image()). Returns why it cannot be read, in
// one line, or nothing if all is well: no file, no permission, empty, no picture, cut off, damaged.
std::string why_unreadable(const std::string& path);

// The same of a file's bytes; `path` is for messages.
std::string why_unreadable(std::span<const std::byte> bytes, const std::string& path);

// All of this as a kind of files.
const FileKind& picture_files();

}  // namespace orthant
