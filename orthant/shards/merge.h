#pragma once

#include <string>
#include <vector>

#include "orthant/core/embeddings.h"
#include "orthant/shards/spool.h"

namespace orthant::shards {

// Puts embeddings together that processes made of ranges of items, `files` being theirs in the order of the ranges:
// what one process would have made of all. Of `views` views, every file has those of its items, view after view, and so
// has the result. Files without a row are passed over. Features stay in files; labels, factors and ids are in memory.
// IoError for files that cannot be read or are not parts of one whole.
Embeddings merge_parts(const std::vector<std::string>& files, int64_t views, const SpoolOptions& options = {});

}  // namespace orthant::shards
