#include "orthant/sources/place.h"

#include <filesystem>

#include "orthant/core/error.h"

namespace orthant {

bool is_there(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

bool is_folder(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error);
}

void check_folder(const std::string& folder, const std::string& with) {
  if (is_folder(folder)) return;
  std::error_code error;
  const bool file = std::filesystem::exists(folder, error);
  fail_io("[", folder, "] expected a folder", with.empty() ? "" : " " + with, ", got ",
          error  ? error.message()
          : file ? "a file"
                 : "nothing there");
}

}  // namespace orthant
