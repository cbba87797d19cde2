#include "orthant/folders/place.h"

#include <cstdlib>
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

std::string expand_home(const std::string& path) {
  const char* home = std::getenv("HOME");
  const bool begins = path == "~" || path.starts_with("~/");
  return begins && home != nullptr && *home != '\0' ? home + path.substr(1) : path;
}

std::string cache_folder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return std::string(cache) + "/orthant";
  const std::string home = expand_home("~");
  return home == "~" ? "" : home + "/.cache/orthant";
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
