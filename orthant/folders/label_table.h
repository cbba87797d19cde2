#pragma once

#include <string>
#include <vector>

#include "orthant/folders/folder_listing.h"

namespace orthant {

// Reads a CSV table of labels and factors and applies it to the files of a folder; returns the factors.
//
// The first row names the columns. The first column holds the file's path below the folder, with or without its
// ending. A column called label or class is the class, empty for none, and replaces the folder's; so does the second of
// two columns, whatever it is called. Every other column is a factor: its classes are the different values, ordered by
// number if all are numbers and by letter otherwise, when the values are 0, 1, 2, ...
//
// Files without a row are left out and, like rows without a file, added to the failures. IoError that names the
// line for a row of another length, a file that occurs twice, or a factor without a value.
std::vector<FactorInfo> apply_label_table(const std::string& path, FolderListing& listing);

}  // namespace orthant
