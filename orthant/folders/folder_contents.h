#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "orthant/data/dataset.h"
#include "orthant/folders/folder_listing.h"

namespace orthant {

struct FolderOptions {
  std::string split = "train";
  std::string labels = {};  // a CSV table of labels and factors, see apply_label_table(); empty: none
  bool strict = false;      // refuse the folder if a single file in it cannot be read
  std::string memory = {};  // a folder that remembers which files are sound, see check_files(); empty: none
  int threads = 0;          // for examining the files; 0: as many as the machine offers
};

// What a folder holds by the names of its files, its lists and its table of labels, before any of them is opened.
struct FolderContents {
  std::string folder;          // that the ids are relative to
  bool one_file = false;       // a file was named instead of a folder
  FolderListing listing = {};  // with a reason where the table has no row of a file
  std::vector<FactorInfo> factors = {};
  std::vector<std::string> class_names = {};  // rising; of all files, in any split, whether they can be read or not

  // -1: none.
  int64_t label(const FolderItem& item) const;
};

// `labels` is as in FolderOptions. IoError where there is no such folder, or its table or lists are none.
FolderContents folder_contents(const std::string& path, const std::string& labels, const FileKind& kind);

// Throws what opening a folder throws of files that are left out, with `strict`, and where no file is left.
void check_readable(const std::string& path, const FolderOptions& options, const FileKind& kind,
                    const std::vector<std::string>& left_out, const FolderListing& left);

// The items of one split of a folder, each file examined: those that cannot be read are left out and listed in
// info.unreadable.
struct OpenedFolder {
  DatasetInfo info;
  std::string folder;
  std::vector<FolderItem> items;
  std::vector<int64_t> labels;
  bool splits_given = false;
};

// `name` is that of the data set. Throws as folder_contents() and check_readable(), and std::invalid_argument for
// another split than train, test and all.
OpenedFolder read_folder(const std::string& path, const FolderOptions& options, const FileKind& kind,
                         const std::string& name);

// A data set of the files of a folder; what is in a file is for those who derive from it.
class FolderDataset : public Dataset {
 public:
  explicit FolderDataset(OpenedFolder opened);

  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return static_cast<int64_t>(items_.size()); }
  int64_t label(int64_t i) const override;
  void factors(int64_t i, std::span<int32_t> classes) const override;
  std::string id(int64_t i) const override { return item(i).id; }

 protected:
  std::string path(int64_t i) const;

 private:
  const FolderItem& item(int64_t i) const;

  DatasetInfo info_;
  std::string folder_;
  std::vector<FolderItem> items_;
  std::vector<int64_t> labels_;
};

// Where this begins in a folder's name, "DIR,labels=FILE"; npos: there is no table in it.
constexpr std::string_view kFolderLabels = ",labels=";
size_t labels_at(const std::string& path);

// A folder and its table of labels as a user names them.
struct FolderName {
  std::string folder;
  std::string labels = {};  // empty: none
};

// The file is looked for from here, and then in the folder. std::invalid_argument for ",labels=" and nothing behind it;
// `kind` is how data sets like this are called, "folder".
FolderName parse_folder_name(const std::string& path, const std::string& kind);

}  // namespace orthant
