#include "orthant/sources/folder.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/data/split.h"
#include "orthant/io/image_file.h"
#include "orthant/sources/folder_listing.h"
#include "orthant/sources/label_table.h"
#include "orthant/sources/picture_check.h"
#include "orthant/sources/picture_file.h"
#include "orthant/sources/place.h"
#include "orthant/sources/split_lists.h"

namespace orthant {
namespace {

namespace fs = std::filesystem;

class Folder final : public Dataset {
 public:
  Folder(DatasetInfo info, std::string folder, std::vector<Picture> pictures, std::vector<int64_t> labels)
      : info_(std::move(info)),
        folder_(std::move(folder)),
        pictures_(std::move(pictures)),
        labels_(std::move(labels)) {}

  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return static_cast<int64_t>(pictures_.size()); }
  Image image(int64_t i) const override { return io::read_image(path(i)); }
  Image image_for(int64_t i, int64_t side) const override { return io::read_image(path(i), view_source_side(side)); }
  int64_t label(int64_t i) const override {
    check_index(i);
    return labels_[static_cast<size_t>(i)];
  }
  void factors(int64_t i, std::span<int32_t> classes) const override {
    check_factors(classes);
    std::ranges::copy(picture(i).factors, classes.begin());
  }
  std::string id(int64_t i) const override { return picture(i).id; }

 private:
  std::string path(int64_t i) const { return (fs::path(folder_) / picture(i).id).string(); }
  const Picture& picture(int64_t i) const {
    check_index(i);
    return pictures_[static_cast<size_t>(i)];
  }

  DatasetInfo info_;
  std::string folder_;
  std::vector<Picture> pictures_;
  std::vector<int64_t> labels_;
};

// Fills in the reasons of the pictures that cannot be read.
void examine(const std::string& folder, const FolderOptions& options, std::vector<Picture>& pictures) {
  std::vector<size_t> places;
  std::vector<std::string> paths;
  for (size_t i = 0; i < pictures.size(); ++i) {
    if (!pictures[i].reason.empty()) continue;
    places.push_back(i);
    paths.push_back(pictures[i].id);
  }
  std::vector<std::string> reasons = check_pictures(folder, paths, options.memory, options.threads);
  for (size_t k = 0; k < places.size(); ++k) pictures[places[k]].reason = std::move(reasons[k]);
}

std::vector<NamedCount> count_splits(const std::vector<Picture>& pictures) {
  std::vector<NamedCount> splits = {{"train", 0}, {"test", 0}, {"all", 0}};
  for (const Picture& picture : pictures) {
    if (!picture.reason.empty()) continue;
    for (NamedCount& split : splits) split.count += split.name == "all" || split.name == picture.split ? 1 : 0;
  }
  return splits;
}

// Takes the pictures that are not in the split, and those that cannot be read, out of the listing; returns the latter.
std::vector<std::string> keep_split(const std::string& split, FolderListing& listing) {
  std::vector<std::string> unreadable = listing.failures;
  std::erase_if(listing.pictures, [&](const Picture& picture) {
    if (listing.splits_given && split != "all" && picture.split != split) return true;
    if (!picture.reason.empty()) unreadable.push_back(picture.id + ": " + picture.reason);
    return !picture.reason.empty();
  });
  return unreadable;
}

}  // namespace

void check_readable(const std::string& path, const FolderOptions& options, const std::vector<std::string>& left_out,
                    const FolderListing& left) {
  const size_t bad = left_out.size();
  const std::string first_bad = bad == 0 ? "" : " that cannot be read; the first: " + left_out.front();
  check_io(!options.strict || bad == 0, "[", path, "] expected nothing but readable pictures, got ", bad, first_bad);
  if (!left.pictures.empty()) return;
  std::string got = bad == 0 ? "none" : std::to_string(bad) + first_bad;
  if (bad == 0 && !left.other_kinds.empty()) got += " but " + left.other_kinds.front().name;
  fail_io("[", path, "] expected pictures that end in .jpg, .jpeg, .png, .webp, .bmp, .ppm or .pgm",
          left.splits_given ? " in the split " + options.split : "", ", got ", got);
}

int64_t FolderContents::label(const Picture& picture) const {
  if (picture.class_name.empty()) return -1;
  return std::ranges::lower_bound(class_names, picture.class_name) - class_names.begin();
}

FolderContents folder_contents(const std::string& path, const std::string& labels) {
  FolderContents contents;
  contents.one_picture = is_there(path) && !is_folder(path) && is_picture_ending(ending_of(fs::path(path).filename()));
  contents.folder = contents.one_picture ? fs::path(path).parent_path().string() : path;
  FolderListing& listing = contents.listing;
  if (contents.one_picture) {
    listing.pictures.push_back({fs::path(path).filename().string(), "", "", ""});
  } else {
    check_folder(contents.folder);
    listing = list_folder(contents.folder);
  }
  if (!labels.empty()) contents.factors = apply_label_table(labels, listing);
  if (!listing.splits_given && !contents.one_picture) apply_split_lists(contents.folder, listing);
  std::set<std::string> names;
  for (const Picture& picture : listing.pictures) {
    if (!picture.class_name.empty()) names.insert(picture.class_name);
  }
  contents.class_names.assign(names.begin(), names.end());
  return contents;
}

DatasetPtr open_folder(const std::string& path, const FolderOptions& options) {
  check_split(options.split, "folder:" + path);
  FolderContents contents = folder_contents(path, options.labels);
  FolderListing& listing = contents.listing;
  examine(contents.folder, options, listing.pictures);
  DatasetInfo info;
  info.name = "folder:" + path;
  info.class_names = contents.class_names;
  info.factors = contents.factors;
  if (listing.splits_given) info.splits = count_splits(listing.pictures);
  info.unreadable = keep_split(options.split, listing);
  info.other_kinds = listing.other_kinds;
  info.split = listing.splits_given ? options.split : "all";
  check_readable(path, options, info.unreadable, listing);

  std::vector<int64_t> labels;
  for (const Picture& picture : listing.pictures) labels.push_back(contents.label(picture));
  const auto dataset =
      std::make_shared<Folder>(std::move(info), contents.folder, std::move(listing.pictures), std::move(labels));
  return listing.splits_given ? dataset : standard_split(dataset, options.split);
}

size_t labels_at(const std::string& path) { return is_there(path) ? std::string::npos : path.rfind(kFolderLabels); }

FolderName parse_folder_name(const std::string& path) {
  const size_t at = labels_at(path);
  if (at == std::string::npos) return {path};
  FolderName name{path.substr(0, at), expand_home(path.substr(at + kFolderLabels.size()))};
  check(!name.labels.empty(), "[folder] expected folder:DIR,labels=FILE.csv, got ", path);
  const std::string inside = name.folder + "/" + name.labels;
  if (!is_there(name.labels) && is_there(inside)) name.labels = inside;
  return name;
}

}  // namespace orthant
