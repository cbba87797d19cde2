#include "orthant/sources/folder.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/core/threads.h"
#include "orthant/data/split.h"
#include "orthant/io/image_file.h"
#include "orthant/sources/picture_file.h"
#include "orthant/sources/place.h"

namespace orthant {
namespace {

namespace fs = std::filesystem;

struct Picture {
  std::string id;          // path below the folder
  std::string class_name;  // empty: none
};

struct Listing {
  std::vector<Picture> pictures;
  std::vector<std::string> unreadable;
};

// Lists the pictures in a folder below `root` and in all folders below that one; right below it, folders are classes.
class Lister {
 public:
  Lister(const fs::path& root, Listing& listing) : root_(root), listing_(listing) {}

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
      } else if (has_picture_name(name)) {
        listing_.pictures.push_back({(below / name).generic_string(), class_name});
      }
    }
    if (error) fail(below, error);
  }

 private:
  void fail(const fs::path& below, const std::error_code& error) {
    listing_.unreadable.push_back((below.empty() ? "." : below.generic_string()) + ": " + error.message());
  }

  fs::path root_;
  Listing& listing_;
  std::set<std::string> seen_;
};

class Folder final : public Dataset {
 public:
  Folder(DatasetInfo info, std::string folder, std::vector<std::string> ids, std::vector<int64_t> labels)
      : info_(std::move(info)), folder_(std::move(folder)), ids_(std::move(ids)), labels_(std::move(labels)) {}

  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return static_cast<int64_t>(ids_.size()); }
  Image image(int64_t i) const override {
    check_index(i);
    return io::read_image((fs::path(folder_) / ids_[static_cast<size_t>(i)]).string());
  }
  int64_t label(int64_t i) const override {
    check_index(i);
    return labels_[static_cast<size_t>(i)];
  }
  std::string id(int64_t i) const override {
    check_index(i);
    return ids_[static_cast<size_t>(i)];
  }

 private:
  DatasetInfo info_;
  std::string folder_;
  std::vector<std::string> ids_;
  std::vector<int64_t> labels_;
};

// Moves the pictures that cannot be read to the list of unreadable ones.
void set_unreadable_apart(const std::string& folder, int threads, Listing& listing) {
  std::vector<std::string> reasons(listing.pictures.size());
  parallel_for(static_cast<int64_t>(reasons.size()), 64, threads, [&](int64_t begin, int64_t end) {
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
      reasons[i] = why_unreadable((fs::path(folder) / listing.pictures[i].id).string());
    }
  });
  std::vector<Picture> readable;
  for (size_t i = 0; i < reasons.size(); ++i) {
    if (reasons[i].empty()) {
      readable.push_back(std::move(listing.pictures[i]));
    } else {
      listing.unreadable.push_back(listing.pictures[i].id + ": " + reasons[i]);
    }
  }
  listing.pictures = std::move(readable);
}

// The names of the folders that hold the published splits, or nothing.
std::vector<std::string> published_splits(const std::string& folder) {
  const auto has = [&folder](const char* name) { return is_folder((fs::path(folder) / name).string()); };
  if (!has("train")) return {};
  if (has("test")) return {"train", "test"};
  if (has("val")) return {"train", "val"};
  return {};
}

Listing list_pictures(const std::string& folder, const std::vector<std::string>& splits) {
  Listing listing;
  if (splits.empty()) Lister(folder, listing).list("", "", true);
  for (const std::string& split : splits) Lister(folder, listing).list(split, "", true);
  std::ranges::sort(listing.pictures, {}, &Picture::id);
  return listing;
}

bool is_below(const std::string& id, const std::string& split) { return id.starts_with(split + "/"); }

}  // namespace

DatasetPtr open_folder(const std::string& folder, const FolderOptions& options) {
  check_split(options.split, "folder:" + folder);
  check_folder(folder);
  const std::vector<std::string> splits = published_splits(folder);
  Listing listing = list_pictures(folder, splits);
  std::map<std::string, int64_t> label_of;
  for (const Picture& picture : listing.pictures) {
    if (!picture.class_name.empty()) label_of.emplace(picture.class_name, 0);
  }
  if (!splits.empty() && options.split != "all") {
    const std::string& wanted = splits[options.split == "train" ? 0 : 1];
    std::erase_if(listing.pictures, [&](const Picture& picture) { return !is_below(picture.id, wanted); });
    std::erase_if(listing.unreadable, [&](const std::string& line) { return !line.starts_with(wanted); });
  }
  set_unreadable_apart(folder, options.threads, listing);
  const size_t bad = listing.unreadable.size();
  const std::string first_bad = bad == 0 ? "" : " that cannot be read; the first: " + listing.unreadable.front();
  check_io(!options.strict || bad == 0, "[", folder, "] expected nothing but readable pictures, got ", bad, first_bad);
  check_io(!listing.pictures.empty(), "[", folder, "] expected pictures that end in .jpg, .jpeg or .png, got ",
           bad == 0 ? "none" : std::to_string(bad) + first_bad);

  DatasetInfo info;
  info.name = "folder:" + folder;
  info.split = splits.empty() ? "all" : options.split;
  info.unreadable = std::move(listing.unreadable);
  for (auto& [name, label] : label_of) {
    label = static_cast<int64_t>(info.class_names.size());
    info.class_names.push_back(name);
  }
  std::vector<std::string> ids;
  std::vector<int64_t> labels;
  for (Picture& picture : listing.pictures) {
    labels.push_back(picture.class_name.empty() ? -1 : label_of.at(picture.class_name));
    ids.push_back(std::move(picture.id));
  }
  const auto dataset = std::make_shared<Folder>(std::move(info), folder, std::move(ids), std::move(labels));
  return splits.empty() ? standard_split(dataset, options.split) : dataset;
}

}  // namespace orthant
