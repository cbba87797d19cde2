#pragma once

#include <cstdint>
#include <functional>

#include "orthant/search/rows.h"
#include "orthant/search/top_lists.h"

namespace orthant::search {

// As panel_search(), with an inverted list per column of the bank: the work is proportional to the pairs of entries
// that meet in a column, one at a time. The way for features of which a few per cent or less are filled.
void list_search(const SearchRows& bank, const SearchRows& queries, int threads, TopLists& lists,
                 const std::function<void(int64_t pairs)>& done);

}  // namespace orthant::search
