#pragma once

#include <string>
#include <vector>

#include "orthant/data/dataset.h"
#include "orthant/folders/file_kind.h"

namespace orthant {

// A file that is an item: a picture, a sound.
struct FolderItem {
  std::string id;          // path below the folder
  std::string class_name;  // empty: none
  std::string split;       // "train" or "test", where the data say so; else empty
  std::string reason;      // why it cannot be read; empty: it can
  std::vector<int32_t> factors = {};
};

struct FolderListing {
  std::vector<FolderItem> items;        // by id, rising
  std::vector<std::string> failures;    // folders that may not be listed and other complaints, "path: reason"
  std::vector<NamedCount> other_kinds;  // files of the kind that are not read, by ending
  bool splits_given = false;            // by the data
  std::string noun = "picture";         // what an item is
};

// The files below `folder` that are called as those of the kind are, none of them opened. The folder right below is the
// class; where there are folders train and test (or val) these are the splits and the folders right below them the
// classes.
FolderListing list_folder(const std::string& folder, const FileKind& kind);

}  // namespace orthant
