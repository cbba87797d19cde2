#include "orthant/folders/split_lists.h"

#include <filesystem>

#include "orthant/core/error.h"
#include "orthant/folders/file_names.h"
#include "orthant/folders/place.h"
#include "orthant/io/text_lines.h"

namespace orthant {
namespace {

// Gives the files of a list its split; false if the list is not there or is none.
bool apply_list(const std::string& folder, const std::string& file, const std::string& split, const FileNames& names,
                FolderListing& listing) {
  const std::string path = (std::filesystem::path(folder) / file).string();
  if (!is_there(path)) return false;
  const std::vector<std::string> lines = io::read_lines(path);
  std::vector<std::string> failures;
  bool any = false;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].empty() || lines[i].starts_with('#')) continue;
    const auto found = names.find(lines[i]);
    if (!found) {
      failures.push_back(
          join(lines[i], ": named in line ", i + 1, " of ", file, ", but no such ", listing.noun, " is there"));
      continue;
    }
    any = true;
    FolderItem& item = listing.items[*found];
    check_io(item.split.empty() || item.split == split, "[", path, "] expected ", listing.noun,
             "s that are not in the ", "other list, got ", item.id, " in line ", i + 1);
    item.split = split;
  }
  if (any) listing.failures.insert(listing.failures.end(), failures.begin(), failures.end());
  return any;
}

}  // namespace

void apply_split_lists(const std::string& folder, FolderListing& listing) {
  const FileNames names(listing.items);
  const bool train = apply_list(folder, "train.txt", "train", names, listing);
  const bool test =
      apply_list(folder, "test.txt", "test", names, listing) || apply_list(folder, "val.txt", "test", names, listing);
  if (!train && !test) return;
  listing.splits_given = true;
  if (train && test) return;
  for (FolderItem& item : listing.items) {
    if (item.split.empty()) item.split = train ? "test" : "train";
  }
}

}  // namespace orthant
