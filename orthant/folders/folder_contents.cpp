#include "orthant/folders/folder_contents.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "orthant/core/error.h"
#include "orthant/data/split.h"
#include "orthant/folders/file_check.h"
#include "orthant/folders/label_table.h"
#include "orthant/folders/place.h"
#include "orthant/folders/split_lists.h"

namespace orthant {
namespace {

namespace fs = std::filesystem;

// Fills in the reasons of the files that cannot be read.
void examine(const std::string& folder, const FolderOptions& options, const FileKind& kind,
             std::vector<FolderItem>& items) {
  std::vector<size_t> places;
  std::vector<std::string> paths;
  for (size_t i = 0; i < items.size(); ++i) {
    if (!items[i].reason.empty()) continue;
    places.push_back(i);
    paths.push_back(items[i].id);
  }
  std::vector<std::string> reasons = check_files(kind, folder, paths, options.memory, options.threads);
  for (size_t k = 0; k < places.size(); ++k) items[places[k]].reason = std::move(reasons[k]);
}

std::vector<NamedCount> count_splits(const std::vector<FolderItem>& items) {
  std::vector<NamedCount> splits = {{"train", 0}, {"test", 0}, {"all", 0}};
  for (const FolderItem& item : items) {
    if (!item.reason.empty()) continue;
    for (NamedCount& split : splits) split.count += split.name == "all" || split.name == item.split ? 1 : 0;
  }
  return splits;
}

// Takes the files that are not in the split, and those that cannot be read, out of the listing; returns the latter.
std::vector<std::string> keep_split(const std::string& split, FolderListing& listing) {
  std::vector<std::string> unreadable = listing.failures;
  std::erase_if(listing.items, [&](const FolderItem& item) {
    if (listing.splits_given && split != "all" && item.split != split) return true;
    if (!item.reason.empty()) unreadable.push_back(item.id + ": " + item.reason);
    return !item.reason.empty();
  });
  return unreadable;
}

}  // namespace

int64_t FolderContents::label(const FolderItem& item) const {
  if (item.class_name.empty()) return -1;
  return std::ranges::lower_bound(class_names, item.class_name) - class_names.begin();
}

FolderContents folder_contents(const std::string& path, const std::string& labels, const FileKind& kind) {
  FolderContents contents;
  contents.one_file = is_there(path) && !is_folder(path) && kind.takes(ending_of(fs::path(path).filename()));
  contents.folder = contents.one_file ? fs::path(path).parent_path().string() : path;
  FolderListing& listing = contents.listing;
  if (contents.one_file) {
    listing.noun = kind.noun;
    listing.items.push_back({fs::path(path).filename().string(), "", "", ""});
  } else {
    check_folder(contents.folder);
    listing = list_folder(contents.folder, kind);
  }
  if (!labels.empty()) contents.factors = apply_label_table(labels, listing);
  if (!listing.splits_given && !contents.one_file) apply_split_lists(contents.folder, listing);
  std::set<std::string> names;
  for (const FolderItem& item : listing.items) {
    if (!item.class_name.empty()) names.insert(item.class_name);
  }
  contents.class_names.assign(names.begin(), names.end());
  return contents;
}

void check_readable(const std::string& path, const FolderOptions& options, const FileKind& kind,
                    const std::vector<std::string>& left_out, const FolderListing& left) {
  const size_t bad = left_out.size();
  const std::string first_bad = bad == 0 ? "" : " that cannot be read; the first: " + left_out.front();
  check_io(!options.strict || bad == 0, "[", path, "] expected nothing but readable ", kind.noun, "s, got ", bad,
           first_bad);
  if (!left.items.empty()) return;
  std::string got = bad == 0 ? "none" : std::to_string(bad) + first_bad;
  if (bad == 0 && !left.other_kinds.empty()) got += " but " + left.other_kinds.front().name;
  fail_io("[", path, "] expected ", kind.noun, "s that end in ", kind.endings,
          left.splits_given ? " in the split " + options.split : "", ", got ", got);
}

OpenedFolder read_folder(const std::string& path, const FolderOptions& options, const FileKind& kind,
                         const std::string& name) {
  check_split(options.split, name);
  FolderContents contents = folder_contents(path, options.labels, kind);
  FolderListing& listing = contents.listing;
  examine(contents.folder, options, kind, listing.items);
  OpenedFolder opened;
  DatasetInfo& info = opened.info;
  info.name = name;
  info.class_names = contents.class_names;
  info.factors = contents.factors;
  if (listing.splits_given) info.splits = count_splits(listing.items);
  info.unreadable = keep_split(options.split, listing);
  info.other_kinds = listing.other_kinds;
  info.split = listing.splits_given ? options.split : "all";
  check_readable(path, options, kind, info.unreadable, listing);
  for (const FolderItem& item : listing.items) opened.labels.push_back(contents.label(item));
  opened.folder = contents.folder;
  opened.splits_given = listing.splits_given;
  opened.items = std::move(listing.items);
  return opened;
}

FolderDataset::FolderDataset(OpenedFolder opened)
    : info_(std::move(opened.info)),
      folder_(std::move(opened.folder)),
      items_(std::move(opened.items)),
      labels_(std::move(opened.labels)) {}

int64_t FolderDataset::label(int64_t i) const {
  check_index(i);
  return labels_[static_cast<size_t>(i)];
}

void FolderDataset::factors(int64_t i, std::span<int32_t> classes) const {
  check_factors(classes);
  std::ranges::copy(item(i).factors, classes.begin());
}

std::string FolderDataset::path(int64_t i) const { return (fs::path(folder_) / item(i).id).string(); }

const FolderItem& FolderDataset::item(int64_t i) const {
  check_index(i);
  return items_[static_cast<size_t>(i)];
}

size_t labels_at(const std::string& path) { return is_there(path) ? std::string::npos : path.rfind(kFolderLabels); }

FolderName parse_folder_name(const std::string& path, const std::string& kind) {
  const size_t at = labels_at(path);
  if (at == std::string::npos) return {path};
  FolderName name{path.substr(0, at), expand_home(path.substr(at + kFolderLabels.size()))};
  check(!name.labels.empty(), "[", kind, "] expected ", kind, ":DIR,labels=FILE.csv, got ", path);
  const std::string inside = name.folder + "/" + name.labels;
  if (!is_there(name.labels) && is_there(inside)) name.labels = inside;
  return name;
}

}  // namespace orthant
