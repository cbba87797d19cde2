#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "orthant/data/dataset.h"

namespace orthant {

// A data set of texts, filled text by text: those of one item may come in any order, and items stand in the order of
// their first text. Refers to the bytes of the texts, and keeps `content` alive for that.
class TextDataset final : public Dataset {
 public:
  // What is known of one text besides its words.
  struct Row {
    size_t line = 0;         // of the file, for messages
    std::string_view id;     // of its item; empty: it is an item of its own
    std::string_view label;  // name of the item's class; empty: none
    std::string_view split;  // "train" or "test"; empty: none
  };

  // `name` as in DatasetInfo, `path` for messages.
  TextDataset(std::string name, std::string path, std::shared_ptr<const void> content);

  // IoError naming the line if the item had another class or split before.
  void add(std::string_view text, const Row& row);
  // To be called once, behind the last text: classes get their numbers, in the order of the alphabet, or of their
  // numbers if all are called by one.
  void finish();

  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return static_cast<int64_t>(items_.size()); }
  std::vector<std::string> texts(int64_t i) const override;
  int64_t label(int64_t i) const override;
  std::string id(int64_t i) const override;
  // The items of "train" or "test", in their order.
  std::vector<int64_t> items_of(const std::string& split) const;

 private:
  struct Item {
    Row first;
    std::vector<std::string_view> texts;
    int64_t label = -1;
  };

  DatasetInfo info_;
  std::string path_;
  std::shared_ptr<const void> content_;
  std::vector<Item> items_;
  std::unordered_map<std::string_view, size_t> item_of_;
};

}  // namespace orthant
