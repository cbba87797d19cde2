#pragma once

#include <string>

#include "orthant/data/dataset.h"
#include "orthant/folders/folder_contents.h"

namespace orthant {

// Pictures of any size in a folder and all folders below: files that end as is_picture_ending() says, sorted by their
// path, which is their id. The class of a picture is the folder right below `folder` that it is in; pictures that lie
// in `folder` itself have none. Hidden files and folders are passed over; links to folders are followed, each folder
// once. `folder` may also be a picture: a data set of one item without a class.
//
// Splits: if there are folders "train" and "test" (or "val") in it, these are the splits, their classes are taken
// together, and "all" is both. Otherwise see apply_split_lists(), and where there are no lists either standard_split().
//
// Every file is examined from the first bit to the last (see why_unreadable()). Those that cannot be read, and folders
// that may not be listed, are left out and listed in info().unreadable; with `strict`, IoError names the first and
// their number. A file that changes after that may throw IoError from image(). IoError if there is no picture at all.
DatasetPtr open_folder(const std::string& folder, const FolderOptions& options = {});

}  // namespace orthant
