#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "orthant/folders/folder_listing.h"

namespace orthant {

// Finds files by what lists and tables call them: the path below the folder, perhaps with "./" before it, or without
// its ending where that is clear.
class FileNames {
 public:
  explicit FileNames(const std::vector<FolderItem>& items);

  // The place of the file in the vector.
  std::optional<size_t> find(const std::string& name) const;

 private:
  std::unordered_map<std::string, size_t> by_id_;
  std::unordered_map<std::string, std::optional<size_t>> by_stem_;  // nothing: several
};

}  // namespace orthant
