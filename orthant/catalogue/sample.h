#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "orthant/catalogue/catalogue.h"

namespace orthant::catalogue {

// `count` of the numbers 0 .. total - 1, rising, evenly spread: one from each of `count` equal ranges, at random within
// it, so that no period in the order of the items (classes in turn) shows. The same numbers every time.
// std::invalid_argument unless 1 <= count <= total.
std::vector<int64_t> even_sample(int64_t total, int64_t count);

// Features, labels and factors of the embeddings at `rows` (numbers of rows).
Embeddings sampled(const Embeddings& embeddings, std::span<const int64_t> rows);

// The same runs over the items at `rows` only (rising numbers of items), which they share again. All that follows from
// the features is computed anew: neighbours and maps are among these items. The records stay as they are.
std::vector<std::unique_ptr<Catalogue>> sampled(std::span<const Catalogue* const> runs, std::span<const int64_t> rows,
                                                const CatalogueOptions& options = {});

}  // namespace orthant::catalogue
