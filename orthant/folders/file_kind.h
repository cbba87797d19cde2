#pragma once

#include <string>

namespace orthant {

// What kind of files a folder is searched for.
struct FileKind {
  std::string noun;     // "picture"
  std::string endings;  // ".jpg, .png or .bmp", for messages
  // Whether files that end like this, in lower case with the dot, are such; or are of their kind, but not read.
  bool (*takes)(const std::string& ending) = nullptr;
  bool (*knows)(const std::string& ending) = nullptr;
  // Examines a file from the first bit to the last: why it cannot be read, in one line, or nothing if all is well.
  std::string (*why_unreadable)(const std::string& path) = nullptr;
};

// The ending of a file name in lower case, with its dot: ".jpg"; empty if it has none or is hidden.
std::string ending_of(const std::string& file_name);

// "[path] reason" without the path.
std::string without_place(const std::string& reason, const std::string& path);

}  // namespace orthant
