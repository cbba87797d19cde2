#include "orthant/texts/text_file.h"

#include <cstddef>

#include "orthant/core/error.h"
#include "orthant/io/gzip.h"
#include "orthant/io/mapped_file.h"
#include "orthant/io/text_lines.h"
#include "orthant/text/utf8.h"

namespace orthant {
namespace {

constexpr size_t kMostBytes = size_t{4} << 30;  // of a compressed file's content

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
  }
  return lines;
}

}  // namespace

TextFile read_text_file(const std::string& path) {
  TextFile file{.path = path, .lines = {}, .content = {}};
  const auto mapped = io::MappedFile::open(path);
  std::span<const std::byte> bytes = mapped->bytes();
  file.content = mapped;
  if (io::looks_like_gzip(bytes)) {
    const auto unpacked = std::make_shared<const std::vector<std::byte>>(io::gunzip(bytes, path, kMostBytes));
    bytes = *unpacked;
    file.content = unpacked;
  }
  file.lines = lines_of(io::plain_text(bytes, path));
  check_io(!file.lines.empty(), "[", path, "] expected at least one line of text, got an empty file");
  for (size_t i = 0; i < file.lines.size(); ++i) {
    check_io(first_invalid_utf8(file.lines[i]) == std::string_view::npos, "[", path,
             "] expected text in UTF-8, got other bytes in line ", i + 1);
  }
  return file;
}

}  // namespace orthant
