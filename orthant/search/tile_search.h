#pragma once

#include <cstdint>
#include <functional>

#include "orthant/search/rows.h"
#include "orthant/search/top_lists.h"

namespace orthant::search {

// As panel_search(), with the rows of the bank compressed and the queries in dense tiles: the work is proportional to
// the entries of the bank, in whole vectors. The way for a bank of which a tenth or so is filled.
void tile_search(const SearchRows& bank, const SearchRows& queries, int threads, TopLists& lists,
                 const std::function<void(int64_t pairs)>& done);

}  // namespace orthant::search
