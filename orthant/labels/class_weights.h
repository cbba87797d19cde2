#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace orthant {

// How much an item of each class counts in the loss, as PyTorch's cross entropy takes it: a batch's loss is divided by
// the sum of the weights of its items, so a common factor changes nothing.
//   "none"        no weights: an empty list
//   "balanced"    n / (C n_c), n_c of the n `labels` being of class c: every class counts alike
//   "1,2.5,..."   C positive numbers
// Each label is one of 0 .. classes - 1, and each of these occurs. std::invalid_argument for anything else.
std::vector<double> class_weights(const std::string& choice, std::span<const int64_t> labels, int64_t classes);

}  // namespace orthant
