#pragma once

#include <string>

#include "orthant/sources/folder_listing.h"

namespace orthant {

// Reads train.txt and test.txt (or val.txt) in `folder`, if there are any, and gives the pictures they name their
// split. A line is a path below the folder, with or without its ending; empty lines and those that begin with # are
// passed over. With one list alone, all other pictures are the other split; with two, pictures in neither are in "all"
// only. A file in which no line names a picture is no such list. Lines that name no picture are added to the failures.
// IoError if a picture is in both lists.
void apply_split_lists(const std::string& folder, FolderListing& listing);

}  // namespace orthant
