#pragma once

#include <cstddef>
#include <string>

namespace orthant {

// How many letters to insert, delete or replace to make `b` of `a`: for "did you mean ...?".
size_t edit_distance(const std::string& a, const std::string& b);

}  // namespace orthant
