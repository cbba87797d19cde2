#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace orthant {

// The lines of a text file, or of one that is compressed by gzip, without what ends them (LF or CRLF) and without a
// byte order mark; empty lines stay, but none follows the last line's end. The views are valid as long as `content`.
struct TextFile {
  std::string path;
  std::vector<std::string_view> lines;
  std::shared_ptr<const void> content;
};

// IoError naming the line if the file cannot be read, is not UTF-8, or holds a zero byte or no line at all.
TextFile read_text_file(const std::string& path);

}  // namespace orthant
