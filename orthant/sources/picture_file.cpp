#include "orthant/sources/picture_file.h"

#include <algorithm>

#include "orthant/core/error.h"
#include "orthant/io/image_file.h"
#include "orthant/io/mapped_file.h"

namespace orthant {
namespace {

bool is_one_of(const std::string& ending, std::span<const char* const> endings) {
  return std::ranges::find(endings, ending) != endings.end();
}

}  // namespace

bool is_picture_ending(const std::string& ending) {
  static constexpr const char* kRead[] = {".jpg", ".jpeg", ".png", ".webp", ".bmp", ".ppm", ".pgm", ".pnm"};
  return is_one_of(ending, kRead);
}

bool is_other_picture_ending(const std::string& ending) {
  static constexpr const char* kOthers[] = {".gif", ".tif",  ".tiff", ".heic", ".heif", ".avif", ".jxl",
                                            ".jp2", ".jfif", ".tga",  ".psd",  ".svg",  ".exr",  ".hdr",
                                            ".dng", ".cr2",  ".nef",  ".arw",  ".ico",  ".dcm",  ".pbm"};
  return is_one_of(ending, kOthers);
}

std::string why_unreadable(std::span<const std::byte> bytes, const std::string& path) {
  if (bytes.empty()) return "the file is empty";
  if (!io::looks_like_image(bytes)) return "neither JPEG, PNG, WebP, BMP, PGM nor PPM";
  try {
    io::verify_image(bytes, path);
    return {};
  } catch (const IoError& error) {
    return without_place(error.what(), path);
  }
}

std::string why_unreadable(const std::string& path) {
  try {
    return why_unreadable(io::MappedFile::open(path)->bytes(), path);
  } catch (const IoError& error) {
    return without_place(error.what(), path);
  }
}

const FileKind& picture_files() {
  static const FileKind kind = {"picture", ".jpg, .jpeg, .png, .webp, .bmp, .ppm or .pgm", is_picture_ending,
                                is_other_picture_ending, [](const std::string& path) { return why_unreadable(path); }};
  return kind;
}

}  // namespace orthant
