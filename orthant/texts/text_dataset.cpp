#include "orthant/texts/text_dataset.h"

#include <algorithm>
#include <set>
#include <utility>

#include "orthant/core/error.h"

namespace orthant {

TextDataset::TextDataset(std::string name, std::string path, std::shared_ptr<const void> content)
    : path_(std::move(path)), content_(std::move(content)) {
  info_.name = std::move(name);
  info_.split = "all";
  info_.text = true;
}

void TextDataset::add(std::string_view text, const Row& row) {
  info_.text_ids = info_.text_ids || !row.id.empty();
  const auto [found, is_new] =
      row.id.empty() ? std::pair(item_of_.end(), true) : item_of_.emplace(row.id, items_.size());
  if (is_new) {
    items_.push_back({row, {text}});
    return;
  }
  Item& item = items_[found->second];
  const auto same = [&](const char* what, std::string_view before, std::string_view now) {
    check_io(before == now, "[", path_, "] expected one ", what, " for all texts of ", row.id, ", got ", before,
             " in line ", item.first.line, " and ", now, " in line ", row.line);
  };
  same("class", item.first.label, row.label);
  same("split", item.first.split, row.split);
  item.texts.push_back(text);
}

void TextDataset::finish() {
  std::set<std::string_view> names;
  for (const Item& item : items_) {
    if (!item.first.label.empty()) names.insert(item.first.label);
  }
  info_.class_names.assign(names.begin(), names.end());
  const bool numbers = std::ranges::all_of(names, [](std::string_view name) {
    return std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
  });
  if (numbers) std::ranges::stable_sort(info_.class_names, {}, [](const std::string& name) { return name.size(); });
  std::unordered_map<std::string_view, int64_t> label_of;
  for (const std::string& name : info_.class_names) label_of.emplace(name, std::ssize(label_of));
  for (Item& item : items_) {
    if (!item.first.label.empty()) item.label = label_of.at(item.first.label);
  }
}

std::vector<std::string> TextDataset::texts(int64_t i) const {
  check_index(i);
  const auto& texts = items_[static_cast<size_t>(i)].texts;
  return {texts.begin(), texts.end()};
}

int64_t TextDataset::label(int64_t i) const {
  check_index(i);
  return items_[static_cast<size_t>(i)].label;
}

std::string TextDataset::id(int64_t i) const {
  check_index(i);
  const std::string_view id = items_[static_cast<size_t>(i)].first.id;
  return id.empty() ? std::to_string(i) : std::string(id);
}

std::vector<int64_t> TextDataset::items_of(const std::string& split) const {
  std::vector<int64_t> chosen;
  for (size_t i = 0; i < items_.size(); ++i) {
    if (items_[i].first.split == split) chosen.push_back(static_cast<int64_t>(i));
  }
  return chosen;
}

}  // namespace orthant
