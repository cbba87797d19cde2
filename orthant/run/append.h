#pragma once

#include <string>
#include <string_view>

namespace orthant {

// Appends `text` to an open file with as few system calls as possible, usually one; IoError naming `path` if the
// system refuses (no space left, ...).
void append(int fd, const std::string& path, std::string_view text);

}  // namespace orthant
