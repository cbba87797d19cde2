#pragma once

#include <string>

namespace orthant {

// True if a file of this name is taken for a picture: it ends in .jpg, .jpeg or .png, in either case, and is not
// hidden.
bool has_picture_name(const std::string& file_name);

// Looks at the beginning and the end of a picture file, a few microseconds, and decodes it in full only if these leave
// doubt. Returns why it cannot be read, in one line, or nothing if all is well: no file, no permission, empty, neither
// JPEG nor PNG, cut off. Damage in the middle is found only when the picture is decoded.
std::string why_unreadable(const std::string& path);

}  // namespace orthant
