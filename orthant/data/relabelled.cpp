#include "orthant/data/relabelled.h"

#include <utility>

#include "orthant/core/error.h"

namespace orthant {

Relabelled::Relabelled(DatasetPtr data, std::vector<int64_t> labels, DatasetInfo info)
    : data_(std::move(data)), labels_(std::move(labels)), info_(std::move(info)) {
  check(std::ssize(labels_) == data_->size(), "[", info_.name, "] expected ", data_->size(), " labels, got ",
        labels_.size());
}

int64_t Relabelled::label(int64_t i) const {
  check_index(i);
  return labels_[static_cast<size_t>(i)];
}

}  // namespace orthant
