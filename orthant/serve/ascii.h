#pragma once

#include <string>
#include <string_view>

namespace orthant::serve {

// Letters and digits of ASCII, whatever the locale says. Other bytes are left as they are.
bool is_digit(char c);
bool is_letter_or_digit(char c);

std::string lower(std::string_view text);

// Equal but for the case of letters.
bool same_ignoring_case(std::string_view a, std::string_view b);

}  // namespace orthant::serve
