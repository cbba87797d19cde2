#include "orthant/io/text_lines.h"

#include "orthant/core/error.h"
#include "orthant/io/mapped_file.h"

namespace orthant::io {

std::string_view plain_text(std::span<const std::byte> bytes, const std::string& name) {
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  check_io(text.find('\0') == std::string_view::npos, "[", name, "] expected text, got other content");
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  return text;
}

std::vector<std::string> read_lines(const std::string& path) {
  const auto file = MappedFile::open(path);
  std::string_view text = plain_text(file->bytes(), path);
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.emplace_back(line);
  }
  return lines;
}

}  // namespace orthant::io
