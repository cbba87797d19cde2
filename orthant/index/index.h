#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orthant/index/directory.h"
#include "orthant/index/segment.h"
#include "orthant/io/mapped_file.h"
#include "orthant/query/vocabulary.h"

namespace orthant::index {

// One item of an index: by segment and number therein.
struct Item {
  int64_t segment = 0;
  int64_t number = 0;

  auto operator<=>(const Item&) const = default;
};

// An index of non-negative features on disk, mapped: opening reads its directory and nothing else, however large it is.
// Items are those of all segments one after the other, without the ones that were removed. Safe from several threads.
class Index {
 public:
  // IoError that names the file if it is no index, is damaged or cut off. Parts that are damaged further inside are
  // found when they are first used, or all at once by verify().
  static Index open(const std::string& path);

  // Of a file in the making: `file` holds all sections of the directory.
  Index(std::shared_ptr<const io::MappedFile> file, Directory directory, std::string name);

  const std::string& name() const { return name_; }
  const Directory& directory() const { return *directory_; }
  Metric metric() const { return directory_->metric; }
  int64_t features() const { return directory_->features; }
  const std::vector<Segment>& segments() const { return segments_; }
  const Segment& segment(const Item& item) const { return segments_[static_cast<size_t>(item.segment)]; }
  int64_t size() const;     // items that are there
  int64_t entries() const;  // filled places of all rows, removed ones too
  int64_t blocks() const;
  int64_t file_bytes() const { return static_cast<int64_t>(file_->bytes().size()); }

  query::Vocabulary vocabulary() const;

  std::string_view id(const Item& item) const { return segment(item).id(item.number); }
  int64_t label(const Item& item) const { return segment(item).label(item.number); }
  // The first item with this id that is there.
  std::optional<Item> find(std::string_view id) const;

  // Compares everything with its checksum and looks through it; IoError for the first damage.
  void verify(int threads) const;

 private:
  std::string name_;
  std::shared_ptr<const io::MappedFile> file_;
  std::unique_ptr<const Directory> directory_;
  std::vector<Segment> segments_;
};

}  // namespace orthant::index
