#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace orthant {

// Where the first byte lies that is no part of valid UTF-8 (overlong forms, surrogates and numbers beyond U+10FFFF are
// not); std::string_view::npos if there is none.
size_t first_invalid_utf8(std::string_view text);

// The code points of a text. std::invalid_argument naming the byte unless it is valid UTF-8.
std::vector<int32_t> code_points(std::string_view text);

// True if there is nothing to see: spaces, separators and control characters only, or nothing at all. The text is valid
// UTF-8.
bool is_blank(std::string_view text);

}  // namespace orthant
