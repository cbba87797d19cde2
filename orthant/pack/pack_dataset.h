#pragma once

#include <string>

#include "orthant/data/dataset.h"

namespace orthant {

struct PackOptions {
  std::string split = "train";
  bool strict = false;  // refuse the pack if a picture was left out when it was made
};

// The pictures of a pack (docs/formats.md): the items of the folder that it was made from, with the same order, ids,
// classes, factors, splits and pixels, and the same left out. Only its name is another. A picture is checked against
// its checksum whenever it is read.
//
// IoError for a file that is no pack or damaged, a split without a picture, and, with `strict`, pictures that were left
// out; std::invalid_argument for another split, or the "test" of a single item that came without a split.
DatasetPtr open_pack(const std::string& path, const PackOptions& options = {});

}  // namespace orthant
