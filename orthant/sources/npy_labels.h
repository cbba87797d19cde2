#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orthant/io/array.h"

namespace orthant {

// The class of each item of an array.
struct ItemLabels {
  std::vector<int64_t> labels;     // -1: none; empty: no item has one
  std::vector<std::string> names;  // of the classes
};

// From a 1-D array of `count` integers, -1 where an item has no class. Classes are called by their numbers. IoError
// naming `name` for anything else.
ItemLabels labels_from_array(const io::Array& array, int64_t count, const std::string& name);

// The same of what io::read_labels() reads: a .npy file, or text with a label on each line, numbers or names.
ItemLabels read_item_labels(const std::string& path, int64_t count);

}  // namespace orthant
