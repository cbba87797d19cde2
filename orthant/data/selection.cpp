#include "orthant/data/selection.h"

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
}

int64_t Selection::at(int64_t i) const {
  check_index(i);
  return indices_[static_cast<size_t>(i)];
}

}  // namespace orthant
