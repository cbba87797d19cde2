#pragma once

#include <string_view>

namespace orthant::serve {

// A header field of a request, as views into its bytes.
struct Field {
  std::string_view name;   // as it was sent; the case of letters means nothing
  std::string_view value;  // without blanks around it
};

// What a field's name may be, and a method: letters, digits and some marks, at least one.
bool is_token(std::string_view text);

// What a field's value may be: anything but control characters, of which only the tab is harmless. So a value cannot
// hold the end of its line.
bool is_field_value(std::string_view text);

// Without blanks and tabs around it.
std::string_view trimmed(std::string_view text);

// "Name: value" without the end of its line. StatusError 400 for anything else, blanks before the colon included.
Field read_field(std::string_view line);

}  // namespace orthant::serve
