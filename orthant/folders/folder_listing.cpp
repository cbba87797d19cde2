#include "orthant/folders/folder_listing.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "orthant/folders/place.h"

namespace orthant {
namespace {

namespace fs = std::filesystem;

// Lists the files in a folder below `root` and in all folders below that one; right below it, folders are classes.
class Lister {
 public:
  Lister(const fs::path& root, const FileKind& kind, FolderListing& listing)
      : root_(root), kind_(kind), listing_(listing) {}

  void list(const fs::path& below, const std::string& split) {
    split_ = split;
    seen_.clear();
    list(below, "", true);
  }

  std::vector<NamedCount> other_kinds() const {
    std::vector<NamedCount> kinds;
    for (const auto& [ending, count] : others_) kinds.push_back({ending, count});
    return kinds;
  }

 private:
  void list(const fs::path& below, const std::string& class_name, bool classes_follow) {
    std::error_code error;
    const fs::path canonical = fs::canonical(root_ / below, error);
    if (error) return fail(below, error);
    if (!seen_.insert(canonical.string()).second) return;
    fs::directory_iterator entry(root_ / below, error);
    if (error) return fail(below, error);
    for (; entry != fs::directory_iterator(); entry.increment(error)) {
      const std::string name = entry->path().filename().string();
      std::error_code ignored;
      if (name.starts_with('.')) continue;
      if (entry->is_directory(ignored)) {
        list(below / name, classes_follow ? name : class_name, false);
        continue;
      }
      const std::string ending = ending_of(name);
      if (kind_.takes(ending)) {
        listing_.items.push_back({(below / name).generic_string(), class_name, split_, ""});
      } else if (kind_.knows(ending)) {
        ++others_[ending];
      }
    }
    if (error) fail(below, error);
  }

  void fail(const fs::path& below, const std::error_code& error) {
    listing_.failures.push_back((below.empty() ? "." : below.generic_string()) + ": " + error.message());
  }

  fs::path root_;
  const FileKind& kind_;
  FolderListing& listing_;
  std::string split_;
  std::set<std::string> seen_;
  std::map<std::string, int64_t> others_;
};

}  // namespace

FolderListing list_folder(const std::string& folder, const FileKind& kind) {
  const auto has = [&folder](const char* name) { return is_folder((fs::path(folder) / name).string()); };
  const char* test = has("test") ? "test" : has("val") ? "val" : nullptr;
  FolderListing listing;
  listing.splits_given = test != nullptr && has("train");
  listing.noun = kind.noun;
  Lister lister(folder, kind, listing);
  if (listing.splits_given) {
    lister.list("train", "train");
    lister.list(test, "test");
  } else {
    lister.list("", "");
  }
  listing.other_kinds = lister.other_kinds();
  std::ranges::sort(listing.items, {}, &FolderItem::id);
  return listing;
}

}  // namespace orthant
