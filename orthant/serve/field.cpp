#include "orthant/serve/field.h"

#include <algorithm>

#include "orthant/serve/ascii.h"
#include "orthant/serve/message.h"

namespace orthant::serve {

bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return is_letter_or_digit(c) || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  });
}

bool is_field_value(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return c == '\t' || (byte >= ' ' && byte != 0x7f);
  });
}

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

Field read_field(std::string_view line) {
  const size_t colon = line.find(':');
  const std::string_view name = line.substr(0, colon);
  if (colon == std::string_view::npos || !is_token(name)) throw StatusError(400, "expected header fields Name: value");
  const std::string_view value = trimmed(line.substr(colon + 1));
  if (!is_field_value(value)) throw StatusError(400, "expected header fields without control characters");
  return {name, value};
}

}  // namespace orthant::serve
