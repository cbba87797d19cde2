#include "orthant/sources/picture_file.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <span>

#include "orthant/core/error.h"
#include "orthant/io/image_file.h"
#include "orthant/io/mapped_file.h"

namespace orthant {
namespace {

using Bytes = std::span<const std::byte>;

// A JPEG file ends with the marker ff d9, which never occurs within the picture, then perhaps a few bytes of a camera's
// own; a PNG file ends with the chunk IEND.
bool ends_well(Bytes bytes) {
  constexpr std::array kJpegEnd = {std::byte{0xff}, std::byte{0xd9}};
  constexpr std::array kPngEnd = {std::byte{'I'}, std::byte{'E'}, std::byte{'N'}, std::byte{'D'}};
  constexpr size_t kTail = 4096;
  const Bytes tail = bytes.last(std::min(bytes.size(), kTail));
  const bool jpeg = bytes.front() == std::byte{0xff};
  const Bytes end = jpeg ? Bytes(kJpegEnd) : Bytes(kPngEnd);
  return std::search(tail.begin(), tail.end(), end.begin(), end.end()) != tail.end();
}

}  // namespace

bool has_picture_name(const std::string& file_name) {
  if (file_name.starts_with('.')) return false;
  std::string ending = std::filesystem::path(file_name).extension().string();
  std::ranges::transform(ending, ending.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return ending == ".jpg" || ending == ".jpeg" || ending == ".png";
}

std::string why_unreadable(const std::string& path) {
  try {
    const auto file = io::MappedFile::open(path);
    if (file->bytes().empty()) return "the file is empty";
    if (!io::looks_like_image(file->bytes())) return "neither a JPEG nor a PNG file";
    if (!ends_well(file->bytes())) io::decode_image(file->bytes(), path);
    return {};
  } catch (const IoError& error) {
    const std::string where = "[" + path + "] ";
    const std::string reason = error.what();
    return reason.starts_with(where) ? reason.substr(where.size()) : reason;
  }
}

}  // namespace orthant
