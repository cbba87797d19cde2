#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "orthant/sources/folder_listing.h"

namespace orthant {

// Finds pictures by what lists and tables call them: the path below the folder, perhaps with "./" before it, or without
// its ending where that is clear.
class PictureNames {
 public:
  explicit PictureNames(const std::vector<Picture>& pictures);

  // The place of the picture in the vector.
  std::optional<size_t> find(const std::string& name) const;

 private:
  std::unordered_map<std::string, size_t> by_id_;
  std::unordered_map<std::string, std::optional<size_t>> by_stem_;  // nothing: several
};

}  // namespace orthant
