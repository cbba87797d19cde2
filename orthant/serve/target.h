#pragma once

#include <map>
#include <string>
#include <string_view>

namespace orthant::serve {

// What a request asks for: "/path?name=value&name=value".
struct Target {
  std::string path;                               // before the first '?', as it was sent
  std::multimap<std::string, std::string> query;  // decoded, any bytes; equal names in their order
};

// Parameters are separated by '&', names end at their first '='; a parameter without one has an empty value, and where
// nothing is between two '&' there is none. StatusError 400 as decode_parameter(). `text` is a head's target.
Target read_target(std::string_view text);

// As forms write names and values: '+' is a blank, "%41" is the byte 0x41. StatusError 400 for a '%' without two
// hexadecimal digits behind it.
std::string decode_parameter(std::string_view text);

}  // namespace orthant::serve
