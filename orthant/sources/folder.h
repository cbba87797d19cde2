#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "orthant/data/dataset.h"
#include "orthant/sources/folder_listing.h"

namespace orthant {

struct FolderOptions {
  std::string split = "train";
  std::string labels = {};  // a CSV table of labels and factors, see apply_label_table(); empty: none
  bool strict = false;      // refuse the folder if a single picture in it cannot be read
  std::string memory = {};  // a folder that remembers which pictures are sound, see check_pictures(); empty: none
  int threads = 0;          // for examining the files; 0: as many as the machine offers
};

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

// What a folder holds by the names of its files, its lists and its table of labels, before any picture is opened.
struct FolderContents {
  std::string folder;          // that the ids are relative to
  bool one_picture = false;    // a picture was named instead of a folder
  FolderListing listing = {};  // with a reason where the table has no row of a picture
  std::vector<FactorInfo> factors = {};
  std::vector<std::string> class_names = {};  // rising; of all pictures, in any split, whether they can be read or not

  // -1: none.
  int64_t label(const Picture& picture) const;
};

// `labels` is as in FolderOptions. IoError where there is no such folder, or its table or lists are none.
FolderContents folder_contents(const std::string& path, const std::string& labels = {});

// Throws what open_folder() throws of files that are left out, with `strict`, and where no picture is left.
void check_readable(const std::string& path, const FolderOptions& options, const std::vector<std::string>& left_out,
                    const FolderListing& left);

// Where this begins in a folder's name, "DIR,labels=FILE"; npos: there is no table in it.
constexpr std::string_view kFolderLabels = ",labels=";
size_t labels_at(const std::string& path);

// A folder and its table of labels as a user names them.
struct FolderName {
  std::string folder;
  std::string labels = {};  // empty: none
};

// The file is looked for from here, and then in the folder. std::invalid_argument for ",labels=" and nothing behind it.
FolderName parse_folder_name(const std::string& path);

}  // namespace orthant
