#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orthant/core/embeddings.h"

namespace orthant::pairing {

// Which item of `a` each row of `b` belongs to [M], such as a caption to its picture. Where both have ids: the item of
// the same id, so several rows of b may belong to one item. Otherwise row i belongs to item i. std::invalid_argument
// for ids of `a` that occur twice, an id of `b` that `a` does not have (the first is named and how many there are), or
// without ids, for numbers of rows that differ.
std::vector<int64_t> owners_of(const Embeddings& a, const Embeddings& b);

// std::invalid_argument unless there are items and rows, and an owner for every row that is one of the items.
void check_owners(int64_t items, int64_t rows, std::span<const int64_t> owner);

}  // namespace orthant::pairing
