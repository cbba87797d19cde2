#include "orthant/io/kept_files.h"

#include <unistd.h>

#include <filesystem>

namespace orthant::io {

namespace fs = std::filesystem;

bool is_newer(const std::string& file, const std::string& than) {
  std::error_code error;
  const auto own = fs::last_write_time(file, error);
  if (error) return false;
  const auto other = fs::last_write_time(than, error);
  return !error && own > other;
}

bool can_write_into(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  return !error && ::access(folder.c_str(), W_OK) == 0;
}

}  // namespace orthant::io
