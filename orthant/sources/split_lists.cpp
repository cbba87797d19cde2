#include "orthant/sources/split_lists.h"

#include <filesystem>

#include "orthant/core/error.h"
#include "orthant/io/text_lines.h"
#include "orthant/sources/picture_names.h"
#include "orthant/sources/place.h"

namespace orthant {
namespace {

// Gives the pictures of a list its split; false if the list is not there or is none.
bool apply_list(const std::string& folder, const std::string& file, const std::string& split, const PictureNames& names,
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
      failures.push_back(join(lines[i], ": named in line ", i + 1, " of ", file, ", but no such picture is there"));
      continue;
    }
    any = true;
    Picture& picture = listing.pictures[*found];
    check_io(picture.split.empty() || picture.split == split, "[", path, "] expected pictures that are not in the ",
             "other list, got ", picture.id, " in line ", i + 1);
    picture.split = split;
  }
  if (any) listing.failures.insert(listing.failures.end(), failures.begin(), failures.end());
  return any;
}

}  // namespace

void apply_split_lists(const std::string& folder, FolderListing& listing) {
  const PictureNames names(listing.pictures);
  const bool train = apply_list(folder, "train.txt", "train", names, listing);
  const bool test =
      apply_list(folder, "test.txt", "test", names, listing) || apply_list(folder, "val.txt", "test", names, listing);
  if (!train && !test) return;
  listing.splits_given = true;
  if (train && test) return;
  for (Picture& picture : listing.pictures) {
    if (picture.split.empty()) picture.split = train ? "test" : "train";
  }
}

}  // namespace orthant
