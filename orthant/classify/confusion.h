#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orthant/core/matrix.h"

namespace orthant::classify {

// What a classifier takes for what.
struct Confusion {
  DenseMatrix<int64_t> counts;  // [C, C]: items of class (row) that were predicted as (column)
  int64_t judged = 0;           // items with a label: the sum of the counts
  int64_t unlabelled = 0;       // items left out

  double accuracy = 0;              // share of the judged that are right; NaN if there are none, likewise `commonest`
  double commonest = 0;             // what naming the most frequent class always would reach
  std::vector<double> recall = {};  // [C]: share of a class's items that are right; NaN for a class without items
  std::vector<double> precision =
      {};              // [C]: share of the items predicted as a class that are of it; NaN if there are none
  int64_t worst = -1;  // class of lowest recall, the first of equals; -1: none has items
};

// From labels and predictions of N items; a label is a class from 0 to C - 1, or -1: unknown. std::invalid_argument,
// naming the item, for a label or a prediction that is out of range, lengths that differ, or no classes.
Confusion confusion(std::span<const int64_t> labels, std::span<const int64_t> predicted, int64_t classes);

// One kind of mistake.
struct Mistake {
  int64_t label = 0;
  int64_t predicted = 0;
  int64_t items = 0;
  double share = 0;  // of the items of that label
};

// The most frequent mistakes by share, then by items, at most `limit`.
std::vector<Mistake> mistakes(const Confusion& confusion, int64_t limit);

}  // namespace orthant::classify
