#include "orthant/folders/file_kind.h"

#include <algorithm>
#include <filesystem>

namespace orthant {

std::string ending_of(const std::string& file_name) {
  if (file_name.starts_with('.')) return {};
  std::string ending = std::filesystem::path(file_name).extension().string();
  std::ranges::transform(ending, ending.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return ending;
}

std::string without_place(const std::string& reason, const std::string& path) {
  const std::string where = "[" + path + "] ";
  return reason.starts_with(where) ? reason.substr(where.size()) : reason;
}

}  // namespace orthant
