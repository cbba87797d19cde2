#include "orthant/data/selection.h"

#include <algorithm>
#include <utility>

#include "orthant/core/error.h"

namespace orthant {

Selection::Selection(DatasetPtr whole, std::vector<int64_t> indices)
    : Selection(whole, std::move(indices), whole->info()) {}

Selection::Selection(DatasetPtr whole, std::vector<int64_t> indices, DatasetInfo info)
    : whole_(std::move(whole)), indices_(std::move(indices)), info_(std::move(info)) {
  std::vector<bool> seen(static_cast<size_t>(whole_->size()));
  for (const int64_t i : indices_) {
    check(i >= 0 && i < whole_->size(), "[subset of ", info_.name, "] expected indices from 0 to ", whole_->size() - 1,
          ", got ", i);
    check(!seen[static_cast<size_t>(i)], "[subset of ", info_.name, "] expected each index once, got ", i, " twice");
    seen[static_cast<size_t>(i)] = true;
  }
  if (!info_.graph) return;
  place_.assign(static_cast<size_t>(whole_->size()), -1);
  for (size_t k = 0; k < indices_.size(); ++k) place_[static_cast<size_t>(indices_[k])] = static_cast<int64_t>(k);
}

std::vector<Linked> Selection::links(int64_t i) const {
  std::vector<Linked> here;
  if (place_.empty()) return here;
  for (const Linked& other : whole_->links(at(i))) {
    const int64_t place = place_[static_cast<size_t>(other.item)];
    if (place >= 0) here.push_back({place, other.weight});
  }
  std::ranges::sort(here, {}, &Linked::item);
  return here;
}

PositivesPtr Selection::positives() const {
  const bool whole = size() == whole_->size() && std::ranges::is_sorted(indices_);
  return whole ? whole_->positives() : nullptr;
}

int64_t Selection::at(int64_t i) const {
  check_index(i);
  return indices_[static_cast<size_t>(i)];
}

}  // namespace orthant
