#pragma once

#include <cstdint>
#include <span>

#include "orthant/core/features.h"
#include "orthant/search/neighbours.h"

namespace orthant::measure {

struct KnnAccuracy {
  double accuracy = 0;   // share of the counted queries whose class was voted for; 0 if none counts
  int64_t counted = 0;   // queries with a class
  int64_t left_out = 0;  // queries of unknown class (-1)
};

// Every query is given the class that most of its first k neighbours have. Equal votes are decided by the larger sum
// of scores (cosines), then by the lower class. search::Neighbours of unknown class (-1) keep their place but do not
// vote; with no vote at all the query counts as wrong. k is lowered to found.k(). Labels: [N] of the bank and [Q] of
// the queries. std::invalid_argument if the labels' lengths do not fit, a label is below -1 or k < 1.
KnnAccuracy knn_accuracy(const search::Neighbours& found, std::span<const int64_t> bank_labels,
                         std::span<const int64_t> query_labels, int64_t k);

// Searches first: k, metric, columns and so on as in options.
KnnAccuracy knn_accuracy(const Features& bank, std::span<const int64_t> bank_labels, const Features& queries,
                         std::span<const int64_t> query_labels, const search::NeighbourOptions& options = {.k = 20});

// Leave-one-out: every row is a query among all the others (options.exclude_self is taken as true).
KnnAccuracy knn_accuracy(const Features& features, std::span<const int64_t> labels,
                         search::NeighbourOptions options = {.k = 20});

}  // namespace orthant::measure
