#pragma once

#include <string>

#include "orthant/data/dataset.h"
#include "orthant/io/array.h"

namespace orthant {

// A data set from an array, by its type and shape:
//   u8 [N, H, W]                grey pictures
//   u8 [N, H, W, C], C 1 or 3   pictures, channels last
//   u8 [N, C, H, W], C 1 or 3   pictures, channels first; where both readings fit, channels last wins
//   f4 or f8 [N, D]             vectors: f4 is used where it lies, so a mapped array may be larger than memory;
//                               f8 is converted to a copy
// `labels` is a 1-D array of N classes u1, i4 or i8, -1 where there is none, or nullptr; see labels_from_array().
// `name` names the data set, and the file in messages. IoError if the arrays are none of this.
DatasetPtr dataset_from_array(io::Array items, const io::Array* labels, const std::string& name);

// The same of files: FILE.npy and optional labels, which read_item_labels() reads; or FILE.npz, with pictures under
// "images" or else vectors under "vectors", and labels under "labels" if there are any. Splits are those of
// standard_split().
DatasetPtr open_npy(const std::string& path, const std::string& labels_path, const std::string& split);

}  // namespace orthant
