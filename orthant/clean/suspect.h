#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace orthant::clean {

// What may be wrong with an item.
enum class Kind {
  label,      // another class is much likelier than the one it is labelled with
  duplicate,  // it is nearly the same as an item before it
  leak,       // it is nearly the same as an item of the bank, that is of the training data
  outlier,    // it is far from all others
  empty,      // no feature fires on it
};
const char* name_of(Kind kind);  // "label", ...

// What a feature adds to the score of the suggested class beyond that of the present one.
struct Reason {
  int64_t feature = 0;
  double value = 0;
};

struct Suspect {
  Kind kind = Kind::label;
  int64_t item = 0;
  double score = 0;  // from 0 to 1, the surer the larger; compares items of one kind

  int64_t label = -1;      // as it is labelled; -1: unknown
  int64_t suggested = -1;  // of kind label: the class that is likelier
  double own = 0;          // of kind label: the probability of its label, and of the suggested class, by a judge that
  double likelier = 0;     // has not seen this item's label
  std::vector<Reason> reasons = {};  // of kind label: features that speak for the suggested class, the strongest first

  int64_t other = -1;   // of kinds duplicate and leak: the item that it is like, of the bank for a leak
  double distance = 0;  // of kinds duplicate, leak and outlier: to that item, or the mean to the nearest ones, as a
                        // multiple of what is usual
};

}  // namespace orthant::clean
