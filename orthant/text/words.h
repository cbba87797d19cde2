#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "orthant/text/text_options.h"

namespace orthant {

// A word keeps this many code points; what follows is cut off.
constexpr size_t kLongestWord = 64;

// The first options.max_words words of a text in their order, normalised as options.normalise says: "nfkc-casefold" is
// Unicode's NFKC_Casefold (letters of one case, compatible forms as their plain ones, invisible characters gone).
//
// A word is a run of letters, marks and digits (Unicode's categories L, M and N). An apostrophe between two of them
// stays, and is always ' (U+0027), whatever its form was. Every other character separates. Each ideograph (U+3400 to
// U+9FFF, U+F900 to U+FAFF, U+20000 to U+3FFFF) is a word of its own.
//
// std::invalid_argument unless the text is valid UTF-8. The same words on every machine with the same
// unicode_version(). Safe from several threads.
std::vector<std::string> words_of(std::string_view text, const TextOptions& options = {});

}  // namespace orthant
