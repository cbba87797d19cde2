#pragma once

#include "orthant/data/dataset.h"

namespace orthant {

// The items of `dataset` under the ids of those of `other`, which are as many; `dataset` itself if these are its own.
DatasetPtr with_ids_of(DatasetPtr dataset, const DatasetPtr& other);

}  // namespace orthant
