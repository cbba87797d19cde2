#pragma once

#include <filesystem>
#include <string>

#include "orthant/io/image_file.h"
#include "tests/support/temporary_folder.h"

namespace orthant::test {

// Writes a small picture of one colour, whose kind is that of its ending.
inline void put_picture(const std::string& path, uint8_t value = 7) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  if (path.ends_with(".ppm")) {
    write_bytes(path, "P6 4 3 255\n" + std::string(36, static_cast<char>(value)));
  } else if (path.ends_with(".png")) {
    write_bytes(path, io::encode_png(Image(3, 4, 3, value)));
  } else {
    const auto bytes = io::encode_jpeg(Image(9, 11, 3, value), 90);
    write_bytes(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
}

}  // namespace orthant::test
