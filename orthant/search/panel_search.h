#pragma once

#include <cstdint>
#include <functional>

#include "orthant/search/rows.h"
#include "orthant/search/top_lists.h"

namespace orthant::search {

// Offers every row of the bank to the list of every query by plain products of dense panels: the way for features with
// few zeros. For each query, rows are offered in the order of their indices. done(pairs) is called from any thread
// after each piece of work with the number of (query, row) pairs in it; what it throws ends the search.
void panel_search(const SearchRows& bank, const SearchRows& queries, int threads, TopLists& lists,
                  const std::function<void(int64_t pairs)>& done);

}  // namespace orthant::search
