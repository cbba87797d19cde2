#pragma once

#include <cstdint>
#include <functional>

#include "orthant/measure/search_rows.h"
#include "orthant/measure/top_lists.h"

namespace orthant::measure {

// As panel_search(), with the rows of the bank compressed and the queries in dense tiles: the work is proportional to
// the entries of the bank, in whole vectors. The way for a bank of which a tenth or so is filled.
void tile_search(const SearchRows& bank, const SearchRows& queries, int threads, TopLists& lists,
                 const std::function<void(int64_t pairs)>& done);

}  // namespace orthant::measure
