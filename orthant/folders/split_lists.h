#pragma once

#include <string>

#include "orthant/folders/folder_listing.h"

namespace orthant {

// Reads train.txt and test.txt (or val.txt) in `folder`, if there are any, and gives the files they name their
// split. A line is a path below the folder, with or without its ending; empty lines and those that begin with # are
// passed over. With one list alone, all other files are the other split; with two, files in neither are in "all"
// only. A file in which no line names such a file is no such list. Lines that name none are added to the failures.
// IoError if a file is in both lists.
void apply_split_lists(const std::string& folder, FolderListing& listing);

}  // namespace orthant
