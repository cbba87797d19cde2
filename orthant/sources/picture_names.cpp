#include "orthant/sources/picture_names.h"

namespace orthant {

PictureNames::PictureNames(const std::vector<Picture>& pictures) {
  for (size_t i = 0; i < pictures.size(); ++i) {
    const std::string& id = pictures[i].id;
    by_id_.emplace(id, i);
    const auto [place, is_new] = by_stem_.emplace(id.substr(0, id.rfind('.')), i);
    if (!is_new) place->second.reset();
  }
}

std::optional<size_t> PictureNames::find(const std::string& name) const {
  const std::string plain = name.starts_with("./") ? name.substr(2) : name;
  if (const auto found = by_id_.find(plain); found != by_id_.end()) return found->second;
  if (const auto found = by_stem_.find(plain); found != by_stem_.end()) return found->second;
  return std::nullopt;
}

}  // namespace orthant
