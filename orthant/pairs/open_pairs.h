#pragma once

#include <string>

#include "orthant/sources/open.h"

namespace orthant {

// Two data sets of the same size: item i of one belongs with item i of the other.
struct PairedData {
  DatasetPtr a;
  DatasetPtr b;
};

// Opens both, in the order of `a`, and pairs their items as alignment() says. The split:
//   both came with one          each is opened with it, and these are paired
//   one did                     all items are paired; those of its split are taken
//   neither did                 all items are paired; standard_split() takes of these, by the classes of `a` or, where
//                               it has none, of `b`
// options.size takes a random subset of the pairs (sprites with captions: paints as many); options.corrupt concerns the
// pictures. Where one of the two has no classes it is given those of the other.
//
// Throws as open_dataset() and alignment() do.
PairedData open_pairs(const std::string& a, const std::string& b, const DataOptions& options = {});

}  // namespace orthant
