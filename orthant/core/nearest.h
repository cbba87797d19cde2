#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace orthant {

// How many letters to insert, delete, replace or swap with their neighbour to make `b` of `a`. What stands in `b`
// before and behind all of `a` costs one altogether: "train" is as near to "pretrain" as "pretain" is.
size_t edit_distance(const std::string& a, const std::string& b);

// The candidate that `word` is likely to be a slip of, the first of equals; null if none is near: within one edit for
// up to three letters, within a third of the letters (at least two) for longer words.
const std::string* nearest(const std::string& word, std::span<const std::string> candidates);

}  // namespace orthant
