#pragma once

#include <string>
#include <vector>

#include "cli/find/search_queries.h"
#include "orthant/index/recall.h"
#include "orthant/index/search.h"

namespace orthant::cli {

// What a search came to.
struct Hits {
  const index::Index& index;
  const std::vector<NamedQuery>& queries;
  const std::vector<index::Found>& found;
  const index::RecallPlan& plan;
  int64_t allowed;  // items that the filter left
};

// How the search was made, in a line: exact and why, or the recall that is promised.
std::string how_found(const Hits& hits, const SearchFlags& flags);

// "wheel (f12)" or "f12".
std::string feature_name(const index::Index& index, int64_t feature);
// The class of an item by name, empty for none.
std::string class_name(const index::Index& index, const index::Item& item);

void print_hits(const Hits& hits, const SearchFlags& flags);

// The hits as one JSON document.
std::string hits_json(const Hits& hits, const SearchFlags& flags);

// Writes them to flags.output: .tsv (query, rank, id, class, score) or .json.
void write_hits(const Hits& hits, const SearchFlags& flags);

// Misuse unless the ending of the file is one of those.
void check_hits_file(const std::string& path);

}  // namespace orthant::cli
