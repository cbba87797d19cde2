#pragma once

#include <cstdint>
#include <vector>

#include "orthant/index/index.h"
#include "orthant/index/search.h"

namespace orthant::index {

// A query as the kernels take it: weights divided by the sum of |weight| * largest value, so that no score exceeds 1.
class Prepared {
 public:
  // std::invalid_argument for a feature that is not there, twice or out of order, or a weight that is not finite.
  Prepared(const Index& index, const Query& query);

  struct Part {
    std::vector<int64_t> columns;     // by rising number, those that some row of the segment has
    std::vector<float> lists;         // weights of levels in lists
    std::vector<float> bounds;        // of levels in bounds; 0 for negative weights
    std::vector<int64_t> strong;      // the columns with the largest weights
    std::vector<uint16_t> estimates;  // their weights in estimate()
  };

  const Part& part(int64_t segment) const { return parts_[static_cast<size_t>(segment)]; }
  // No row of the index has any of the features.
  bool empty() const { return sum_ == 0; }
  // How far a score of the kernels may be from the true one: levels are to the nearest of 65,535, sums in single
  // precision.
  float margin() const { return margin_; }
  // Every weight is positive, and no product vanishes: a row that shares a feature has a score above zero.
  bool positive() const { return positive_; }

  // The score of the row at a position in double precision, as search() gives it.
  double score(const Segment& segment, int64_t position) const;

  // Adds the bounds of blocks begin to end of a segment to scores [end - begin].
  void add_bounds(const Segment& segment, int64_t number, int64_t begin, int64_t end, float* scores) const;

  // What each block of a segment is likely to hold, from the strongest features only, those that make 60 % of what a
  // row could score: no bound, but found in a fraction of the time. Writes sums [blocks] and most [blocks / 64], as
  // estimate() does.
  void estimate_blocks(const Segment& segment, int64_t number, uint16_t* sums, uint16_t* most) const;

 private:
  const Query* query_;
  Metric metric_;
  double length_ = 0;  // of the query
  double sum_ = 0;
  float margin_ = 0;
  bool positive_ = true;
  std::vector<Part> parts_;
};

}  // namespace orthant::index
