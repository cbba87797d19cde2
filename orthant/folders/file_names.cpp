#include "orthant/folders/file_names.h"

namespace orthant {

FileNames::FileNames(const std::vector<FolderItem>& items) {
  for (size_t i = 0; i < items.size(); ++i) {
    const std::string& id = items[i].id;
    by_id_.emplace(id, i);
    const auto [place, is_new] = by_stem_.emplace(id.substr(0, id.rfind('.')), i);
    if (!is_new) place->second.reset();
  }
}

std::optional<size_t> FileNames::find(const std::string& name) const {
  const std::string plain = name.starts_with("./") ? name.substr(2) : name;
  if (const auto found = by_id_.find(plain); found != by_id_.end()) return found->second;
  if (const auto found = by_stem_.find(plain); found != by_stem_.end()) return found->second;
  return std::nullopt;
}

}  // namespace orthant
