#pragma once

#include <string>

#include "orthant/data/dataset.h"

namespace orthant {

struct FolderOptions {
  std::string split = "train";
  bool strict = false;  // refuse the folder if a single picture in it cannot be read
  int threads = 0;      // for looking at the files; 0: as many as the machine offers
};

// Pictures of any size in a folder and all folders below: files that end in .jpg, .jpeg or .png, sorted by their path,
// which is their id. The class of a picture is the folder right below `folder` that it is in; pictures that lie in
// `folder` itself have none. Hidden files and folders are passed over; links to folders are followed, each folder once.
//
// Splits: if there are folders "train" and "test" (or "val") in it, these are the splits, their classes are taken
// together, and "all" is both. Otherwise see standard_split().
//
// Every file is looked at (see why_unreadable()). Those that cannot be read, and folders that may not be listed, are
// left out and listed in info().unreadable; with `strict`, IoError names the first and their number. A file that looks
// well but is damaged inside throws IoError from image(). IoError if there is no picture at all.
DatasetPtr open_folder(const std::string& folder, const FolderOptions& options = {});

}  // namespace orthant
