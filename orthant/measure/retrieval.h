#pragma once

#include <cstdint>
#include <span>

#include "orthant/core/features.h"
#include "orthant/search/neighbours.h"

namespace orthant::measure {

// Means over the counted queries; all 0 if none counts. Relevant to a query are the rows of the bank that have its
// class, except the query itself where the search excluded it.
struct Retrieval {
  int64_t k = 0;                 // as asked for
  double precision = 0;          // precision@k: relevant among the first k, divided by k
  double average_precision = 0;  // mAP@k: mean over queries of AP@k = sum_r P@r rel_r / min(k, relevant)
  double recall = 0;             // R@k: share of queries with at least one relevant among the first k
  int64_t counted = 0;
  int64_t left_out = 0;  // queries of unknown class (-1) or without anything relevant in the bank
};

// Judges the first k neighbours of each query by class. Rows of the bank of unknown class (-1) keep their place and
// are relevant to nobody. k may exceed found.k() only if the search ran out of rows: precision still divides by k.
// Labels: [N] of the bank and [Q] of the queries. std::invalid_argument if the labels' lengths do not fit, a label is
// below -1, k < 1, or the search stopped before k.
Retrieval retrieval(const search::Neighbours& found, std::span<const int64_t> bank_labels,
                    std::span<const int64_t> query_labels, int64_t k);

// Searches first: k, metric, columns and so on as in options.
Retrieval retrieval(const Features& bank, std::span<const int64_t> bank_labels, const Features& queries,
                    std::span<const int64_t> query_labels, const search::NeighbourOptions& options = {});

// Leave-one-out: every row is a query among all the others (options.exclude_self is taken as true).
Retrieval retrieval(const Features& features, std::span<const int64_t> labels, search::NeighbourOptions options = {});

}  // namespace orthant::measure
