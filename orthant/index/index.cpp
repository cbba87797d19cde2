#include "orthant/index/index.h"

#include "orthant/core/error.h"

namespace orthant::index {

Index Index::open(const std::string& path) {
  auto file = io::MappedFile::open(path);
  Directory directory = parse_directory(file->bytes(), path);
  return {std::move(file), std::move(directory), path};
}

Index::Index(std::shared_ptr<const io::MappedFile> file, Directory directory, std::string name)
    : name_(std::move(name)),
      file_(std::move(file)),
      directory_(std::make_unique<const Directory>(std::move(directory))) {
  segments_.reserve(directory_->segments.size());
  for (const SegmentEntry& entry : directory_->segments) {
    segments_.emplace_back(file_->bytes(), *directory_, entry, name_);
  }
}

int64_t Index::size() const {
  int64_t items = 0;
  for (const Segment& segment : segments_) items += segment.live();
  return items;
}

int64_t Index::entries() const {
  int64_t entries = 0;
  for (const Segment& segment : segments_) {
    for (const WindowEntry& window : segment.entry().windows) entries += window.entries;
  }
  return entries;
}

int64_t Index::blocks() const {
  int64_t blocks = 0;
  for (const Segment& segment : segments_) blocks += segment.entry().blocks();
  return blocks;
}

query::Vocabulary Index::vocabulary() const {
  return {directory_->features, directory_->feature_names, directory_->class_names};
}

std::optional<Item> Index::find(std::string_view id) const {
  for (size_t s = 0; s < segments_.size(); ++s) {
    const Segment& segment = segments_[s];
    for (int64_t i = 0; i < segment.items(); ++i) {
      if (segment.id(i) == id && !segment.removed(segment.position(i))) return Item{static_cast<int64_t>(s), i};
    }
  }
  return std::nullopt;
}

void Index::verify(int threads) const {
  for (const Segment& segment : segments_) segment.verify(threads);
}

}  // namespace orthant::index
