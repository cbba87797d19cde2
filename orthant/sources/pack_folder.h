#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "orthant/data/dataset.h"

namespace orthant {

struct PackFolderOptions {
  bool strict = false;  // refuse the folder if a single picture in it cannot be read
  int threads = 0;      // for examining the files; 0: as many as the machine offers
  // Files done of all there are, told now and then; what it throws ends the work, which can be resumed.
  std::function<void(int64_t done, int64_t total)> progress = {};
};

struct PackedFolder {
  int64_t items = 0;    // pictures in the pack
  int64_t resumed = 0;  // files that an interrupted call had done already
  int64_t bytes = 0;    // of the pack
  DatasetInfo info;     // of the whole: classes, splits, what was left out
};

// Writes the pictures of a folder, `spec` being "folder:DIR[,labels=FILE]", into one file that open_pack() opens: the
// files' bytes as they are, in the order of their ids, and everything else that open_folder() knows. Every file is
// examined as open_folder() does; those that cannot be read are left out and listed.
//
// The pack appears whole or not at all. Work that ends early, by an exception, a signal or a power cut, is found by the
// next call with the same arguments, which goes on where it was: files are then read again only if their size or time
// of change are others. The same folder gives the same bytes, interrupted or not. If the names, classes or splits have
// changed in between, it begins anew.
//
// Throws as open_folder(); std::invalid_argument for another kind of data set.
PackedFolder pack_folder(const std::string& spec, const std::string& output, const PackFolderOptions& options = {});

}  // namespace orthant
